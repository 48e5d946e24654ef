package dev.drydock.app;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandRunner;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code drydock} program: everything it can do is a command below this one. */
@Command(
    name = "drydock",
    description =
        "Takes a Kubernetes node out of service, lets work be done on it, proves it fit and puts it back.",
    synopsisSubcommandLabel = "COMMAND",
    addMethodSubcommands = false,
    footer = {
      "",
      "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 impossible as things are. 'drydock COMMAND --help' tells more."
    })
public final class Drydock implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine line = requireNonNull(spec).commandLine();
    line.usage(line.getOut());
    return ExitCode.OK;
  }

  /** The program, ready to execute these arguments and no others. */
  public static CommandLine commandLine(String... arguments) {
    return CommandRunner.create(new Drydock(), ServiceLoader.load(DrydockCommand.class), arguments)
        .setExecutionExceptionHandler(
            (e, line, result) -> CommandRunner.failure(EngineErrors.explain(e), line, result));
  }

  /** What was printed did not get out. Whoever closed a pipe did not want the rest of it. */
  private static int outputLost(int exitCode) {
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      out.write('\n'); // the stream knows only that it failed; another try tells why
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
      // Only then: System.exit first looks through every jar for a logger to note it with. So a
      // command that is done must have ended its threads, or have made them daemons.
      System.exit(exitCode);
    }
  }
}
