package dev.drydock.edge.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drydock edge}: operations on this machine that wait until its node is drained. */
@Command(
    name = "edge",
    addMethodSubcommands = false,
    description = {
      "Reboot, shut down or update this machine once its node is drained.",
      "The machine's agent carries it out: drydock agent --parts edge"
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      EdgeRebootCommand.class,
      EdgeShutdownCommand.class,
      EdgePoweroffCommand.class,
      EdgeUpdateCommand.class,
      EdgeStatusCommand.class,
      EdgeCancelCommand.class
    })
public final class EdgeCommand implements DrydockCommand {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine line = requireNonNull(spec).commandLine();
    line.usage(line.getOut());
    return ExitCode.OK;
  }
}
