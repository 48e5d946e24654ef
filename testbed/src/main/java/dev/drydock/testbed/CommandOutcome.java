package dev.drydock.testbed;

import dev.drydock.cli.CommandRunner;
import dev.drydock.cli.DrydockCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Output and exit code of a command that runs inside this JVM. */
public record CommandOutcome(int exitCode, String out, String err) {
  @Command(name = "drydock", addMethodSubcommands = false)
  private static final class Root implements Runnable {
    @Override
    public void run() {}
  }

  /** The commands on the class path, ready to execute exactly these arguments. */
  public static CommandLine commandLine(String... arguments) {
    return CommandRunner.create(new Root(), ServiceLoader.load(DrydockCommand.class), arguments);
  }

  public static CommandOutcome run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = commandLine(arguments);
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return new CommandOutcome(line.execute(arguments), out.toString(), err.toString());
  }
}
