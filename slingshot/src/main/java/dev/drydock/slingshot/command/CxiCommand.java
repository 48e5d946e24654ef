package dev.drydock.slingshot.command;

import dev.drydock.cli.CommandGroup;
import dev.drydock.cli.DrydockCommand;
import picocli.CommandLine.Command;

/** {@code drydock cxi}: the programs that a CXIDriver runs on nodes. */
@Command(
    name = "cxi",
    addMethodSubcommands = false,
    description = {
      "Run what CXI drivers need on a node.",
      "The operator starts these programs for a CXIDriver; by hand they are for tests."
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DriverAgentCommand.class,
      DevicePluginCommand.class,
      RetryHandlerCommand.class,
      MetricsExporterCommand.class,
      FakeNicsCommand.class
    })
public final class CxiCommand extends CommandGroup implements DrydockCommand {}
