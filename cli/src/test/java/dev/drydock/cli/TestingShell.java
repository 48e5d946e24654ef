package dev.drydock.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Runs the given commands as a shell script and keeps its output. */
final class TestingShell {
  record Outcome(int exitCode, String out, String err) {}

  private final List<DrydockCommand> commands;

  TestingShell(DrydockCommand... commands) {
    this.commands = Arrays.asList(commands);
  }

  Outcome run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = CommandRunner.create(new Root(), commands, arguments);
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return new Outcome(line.execute(arguments), out.toString(), err.toString());
  }

  @Command(name = "drydock", description = "A program.")
  static final class Root implements Callable<Integer> {
    @Override
    public Integer call() {
      return ExitCode.OK;
    }
  }
}
