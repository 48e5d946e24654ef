package dev.drydock.edge.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.Terminal;
import dev.drydock.edge.decide.CommandCounter;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.record.DiskFiles;
import dev.drydock.edge.record.EdgePaths;
import dev.drydock.edge.record.EdgeRecords;
import dev.drydock.edge.record.PublishedFiles;
import dev.drydock.kube.time.TimeSource;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * The counter that a controller sends with a command. The controller repeats the command with each
 * configuration, so the counter says whether it is a new one.
 */
@Command(addMethodSubcommands = false)
final class CounterOption {
  private static final String NONE = "none";

  @Option(
      names = "--counter",
      paramLabel = "NUMBER",
      description = {
        "The number of the controller's command. The number that was carried out last is ignored,"
            + " and the first number ever is only stored. none: forget the number."
            + " Default: run every time."
      })
  private @Nullable String counter;

  /** What is done if the command is new. */
  @FunctionalInterface
  interface Action {
    int run() throws InterruptedException;
  }

  int once(@Nullable CommandSpec spec, EdgeOperation operation, EdgePaths paths, Action action)
      throws InterruptedException {
    if (counter == null) {
      return action.run();
    }
    Terminal terminal = Terminal.of(requireNonNull(spec));
    PublishedFiles files = new PublishedFiles(new DiskFiles());
    Path file = paths.counter(operation);
    Optional<String> before = files.read(file);
    if (counter.equals(NONE)) {
      files.remove(file);
      return ExitCode.OK;
    }
    long number = number(counter);
    CommandCounter decision = CommandCounter.decide(before.flatMap(EdgeRecords::counter), number);
    if (decision == CommandCounter.SEEN) {
      return told(terminal, "%s %d was seen before; nothing is done", operation, number);
    }
    // first, so that a machine that goes down at once does not do it again
    files.publish(file, EdgeRecords.counter(number, TimeSource.REAL.now()));
    if (decision == CommandCounter.FIRST) {
      return told(terminal, "%s %d is the first; it is only remembered", operation, number);
    }
    boolean taken = false;
    try {
      int code = action.run();
      taken = true;
      return code;
    } finally {
      if (!taken) {
        files.publish(file, before.orElseThrow());
      }
    }
  }

  private static int told(Terminal terminal, String line, EdgeOperation operation, long number) {
    terminal.out().println(line.formatted(operation.word(), number));
    terminal.out().flush();
    return ExitCode.OK;
  }

  private static long number(String text) {
    try {
      long number = Long.parseUnsignedLong(text);
      if (number >= 0 && number <= CommandCounter.MOST) {
        return number;
      }
    } catch (NumberFormatException other) {
      // said below
    }
    throw CommandFailure.usage(
        "--counter: \"%s\" is neither a number from 0 to %d nor none"
            .formatted(text, CommandCounter.MOST));
  }
}
