package dev.drydock.slingshot.command;

import dev.drydock.cli.CommandGroup;
import dev.drydock.cli.CommandRunner;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import java.util.List;
import picocli.CommandLine.Command;

/**
 * Those of {@code drydock cxi} that need no cluster, alone, for containers that have to be small:
 * the libraries that all other commands need can be left out of the class path.
 */
@Command(
    name = "drydock",
    description = "Runs what CXI drivers need on a node.",
    synopsisSubcommandLabel = "COMMAND",
    addMethodSubcommands = false)
public final class CxiProgram extends CommandGroup {
  public static void main(String[] arguments) {
    run(new CxiProgram(), new Small(), arguments);
  }

  static void run(Object root, DrydockCommand command, String... arguments) {
    int exitCode = CommandRunner.create(root, List.of(command), arguments).execute(arguments);
    if (exitCode != ExitCode.OK) {
      System.exit(exitCode);
    }
  }

  @Command(
      name = "cxi",
      description = "Runs what CXI drivers need on a node.",
      synopsisSubcommandLabel = "COMMAND",
      addMethodSubcommands = false,
      subcommands = {
        DevicePluginCommand.class,
        RetryHandlerCommand.class,
        MetricsExporterCommand.class
      })
  private static final class Small extends CommandGroup implements DrydockCommand {}
}
