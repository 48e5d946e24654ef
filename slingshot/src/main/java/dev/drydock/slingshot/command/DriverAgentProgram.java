package dev.drydock.slingshot.command;

import dev.drydock.cli.CommandGroup;
import dev.drydock.cli.DrydockCommand;
import picocli.CommandLine.Command;

/** {@code drydock cxi driver-agent} alone, as {@link CxiProgram} has the others. */
@Command(
    name = "drydock",
    description = "Gives a node its CXI driver.",
    synopsisSubcommandLabel = "COMMAND",
    addMethodSubcommands = false)
public final class DriverAgentProgram extends CommandGroup {
  public static void main(String[] arguments) {
    CxiProgram.run(new DriverAgentProgram(), new Small(), arguments);
  }

  @Command(
      name = "cxi",
      description = "Gives a node its CXI driver.",
      synopsisSubcommandLabel = "COMMAND",
      addMethodSubcommands = false,
      subcommands = DriverAgentCommand.class)
  private static final class Small extends CommandGroup implements DrydockCommand {}
}
