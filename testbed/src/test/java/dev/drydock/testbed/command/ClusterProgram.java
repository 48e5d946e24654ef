package dev.drydock.testbed.command;

import dev.drydock.cli.CommandRunner;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** A {@code drydock} with only the cluster commands. */
@Command(name = "drydock")
final class ClusterProgram {
  static CommandLine commandLine(String... arguments) {
    return CommandRunner.create(new ClusterProgram(), List.of(new ClusterCommand()), arguments);
  }

  public static void main(String[] arguments) {
    System.exit(commandLine(arguments).execute(arguments));
  }
}
