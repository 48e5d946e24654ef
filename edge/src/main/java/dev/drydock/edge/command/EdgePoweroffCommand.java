package dev.drydock.edge.command;

import dev.drydock.edge.decide.EdgeOperation;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drydock edge poweroff}. */
@Command(
    name = "poweroff",
    addMethodSubcommands = false,
    description = "Power this machine off once its node is drained.")
final class EdgePoweroffCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private OperationRequest request = new OperationRequest();

  @Override
  public Integer call() throws InterruptedException {
    return request.run(spec, EdgeOperation.POWEROFF, EdgeOperation.POWEROFF.word(), List.of());
  }
}
