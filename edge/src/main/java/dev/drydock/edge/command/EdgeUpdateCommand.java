package dev.drydock.edge.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.edge.decide.EdgeOperation;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drydock edge os-update}. */
@Command(
    name = "os-update",
    addMethodSubcommands = false,
    description = {
      "Run a command that updates this machine once its node is drained.",
      "A newer image replaces one that still waits."
    })
final class EdgeUpdateCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private OperationRequest request = new OperationRequest();

  @Option(
      names = "--image",
      paramLabel = "ID",
      required = true,
      description = "The id of the image; required.")
  private String image = "";

  @Parameters(
      paramLabel = "-- COMMAND",
      arity = "1..*",
      description = "The command and its arguments, after two dashes.")
  private List<String> command = List.of();

  @Override
  public Integer call() throws InterruptedException {
    if (image.isBlank()) {
      throw CommandFailure.usage("--image is empty; give the id of the image");
    }
    return request.run(spec, EdgeOperation.UPDATE, image, command);
  }
}
