package dev.drydock.edge.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.ExitCode;
import dev.drydock.cli.Terminal;
import dev.drydock.edge.record.DiskFiles;
import dev.drydock.edge.record.PublishedFiles;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drydock edge cancel}. */
@Command(
    name = "cancel",
    addMethodSubcommands = false,
    description = {
      "Call off all operations that wait, end the drain and release the node.",
      "Requests that other programs have published stay, and are not served until they change."
    })
final class EdgeCancelCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private EdgeRootOptions roots = new EdgeRootOptions();

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    new PublishedFiles(new DiskFiles()).publish(roots.paths().cancel(), "");
    terminal.out().println("called off; the agent releases the node");
    return ExitCode.OK;
  }
}
