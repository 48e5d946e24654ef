package dev.drydock.edge.command;

import dev.drydock.edge.decide.EdgeOperation;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drydock edge shutdown}. */
@Command(
    name = "shutdown",
    addMethodSubcommands = false,
    description = "Shut this machine down once its node is drained.")
final class EdgeShutdownCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private OperationRequest request = new OperationRequest();
  @Mixin private CounterOption counter = new CounterOption();

  @Override
  public Integer call() throws InterruptedException {
    return counter.once(
        spec,
        EdgeOperation.SHUTDOWN,
        request.paths(),
        () -> request.run(spec, EdgeOperation.SHUTDOWN, EdgeOperation.SHUTDOWN.word(), List.of()));
  }
}
