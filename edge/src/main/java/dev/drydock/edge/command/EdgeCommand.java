package dev.drydock.edge.command;

import dev.drydock.cli.CommandGroup;
import dev.drydock.cli.DrydockCommand;
import picocli.CommandLine.Command;

/** {@code drydock edge}: operations on this machine that wait until its node is drained. */
@Command(
    name = "edge",
    addMethodSubcommands = false,
    description = {
      "Reboot, shut down or update this machine, once it is drained.",
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
public final class EdgeCommand extends CommandGroup implements DrydockCommand {}
