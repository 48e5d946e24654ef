package dev.drydock.slingshot.driver;

import java.time.Duration;
import java.util.List;

/** Runs programs of the host. They may take long, so no control loop waits for them. */
interface HostTools extends AutoCloseable {
  /** For programs that only look or change a file. */
  Duration SHORT = Duration.ofMinutes(2);

  /** For builds. */
  Duration LONG = Duration.ofHours(2);

  /**
   * Runs a program to its end.
   *
   * @param within it is ended after this time
   * @throws InstallFailure if it cannot be started, or did not end in time
   */
  Result run(Duration within, List<String> command);

  /** Ends what runs. */
  @Override
  default void close() {}

  default Result run(String... command) {
    return run(SHORT, List.of(command));
  }

  /**
   * How a program ended.
   *
   * @param output the end of what it printed
   */
  record Result(int exitCode, String output) {
    boolean succeeded() {
      return exitCode == 0;
    }

    /** For messages: the last line that says anything. */
    String lastLine() {
      return output
          .lines()
          .map(String::strip)
          .filter(line -> !line.isEmpty())
          .reduce((_, last) -> last)
          .orElse("it printed nothing");
    }
  }
}
