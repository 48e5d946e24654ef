package dev.drydock.app;

import dev.drydock.cli.CommandGroup;
import dev.drydock.cli.CommandRunner;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code drydock} program: the root of all commands. */
@Command(
    name = "drydock",
    description =
        "Takes Kubernetes nodes out of service, has them maintained and validated, and returns them.",
    synopsisSubcommandLabel = "COMMAND",
    addMethodSubcommands = false,
    footer = {
      "",
      "Exit codes: 0 success, 1 failure, 2 wrong usage, 3 impossible in the current state. See 'drydock COMMAND --help'."
    })
public final class Drydock extends CommandGroup {
  /** The program, ready to execute exactly these arguments. */
  public static CommandLine commandLine(String... arguments) {
    return CommandRunner.create(new Drydock(), ServiceLoader.load(DrydockCommand.class), arguments);
  }

  /** Reports lost output, except for a closed pipe, whose reader did not want the rest. */
  private static int outputLost(int exitCode) {
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      out.write('\n'); // the stream only knows that it failed; another write shows why
      return exitCode;
    } catch (IOException why) {
      if ("Broken pipe".equals(why.getMessage())) {
        return exitCode;
      }
      System.err.println("error: cannot write the output: " + why.getMessage());
      return ExitCode.FAILED;
    }
  }

  public static void main(String[] arguments) {
    int exitCode = commandLine(arguments).execute(arguments);
    if (System.out.checkError()) {
      exitCode = outputLost(exitCode);
    }
    if (exitCode != ExitCode.OK) {
      // Only if needed: System.exit first searches every jar for a logger. So a command must end
      // its threads or make them daemons.
      System.exit(exitCode);
    }
  }
}
