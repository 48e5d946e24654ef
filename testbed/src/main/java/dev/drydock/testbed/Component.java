package dev.drydock.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One running component of the control plane, and its log. */
record Component(String name, Process process, Path log) {

  private static final Pattern FAILURE =
      Pattern.compile("^[EF]\\d{4} |^panic:|^[Ee]rror:|^Fatal|\"level\":\"(error|fatal|panic)\"");
  private static final Pattern KLOG_HEADING =
      Pattern.compile("^[IWEF]\\d{4} [\\d:.]+ +\\d+ [^\\]]+\\] ");
  private static final Pattern ETCD_FAILURE =
      Pattern.compile("\"msg\":\"([^\"]*)\".*\"error\":\"([^\"]*)\"");
  private static final String PORT_TAKEN = "address already in use";
  private static final long LOOK_EVERY_MILLIS = 50;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(180);

  /** The component's port was taken; another port may work. */
  static final class PortTaken extends TestbedException {
    private static final long serialVersionUID = 1L;

    PortTaken(String message) {
      super(message);
    }
  }

  /** Returns when the condition holds; fails at once if the process ends before that. */
  void awaitReady(BooleanSupplier ready) {
    long started = System.nanoTime();
    try {
      while (!ready.getAsBoolean()) {
        if (process.waitFor(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
          throw died();
        }
        if (System.nanoTime() - started > PATIENCE_NANOS) {
          throw new TestbedException(
              "%s is not ready after %d s, its log ends with: %s"
                  .formatted(name, TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS), lastWords()));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while %s starts".formatted(name), e);
    }
  }

  /**
   * Asks it to stop and kills it after a timeout: an API server finishes its requests quickly, but
   * would wait a minute for open watches.
   */
  void stop() {
    process.destroy();
    try {
      if (!process.waitFor(2, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while %s stops".formatted(name), e);
    }
  }

  private TestbedException died() {
    String words = lastWords();
    return words.contains(PORT_TAKEN)
        ? new PortTaken(name + " found its port in use: " + words)
        : new TestbedException(
            "%s ended with exit code %d: %s".formatted(name, process.exitValue(), words));
  }

  private String lastWords() {
    try {
      return lastWords(Files.readAllLines(log));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The last line that reports a failure, or else the last line, without its prefix. */
  static String lastWords(List<String> log) {
    List<String> latestFirst = log.reversed();
    return Stream.concat(
            latestFirst.stream().filter(line -> FAILURE.matcher(line).find()),
            latestFirst.stream().filter(line -> !line.isBlank()))
        .findFirst()
        .map(Component::withoutHeading)
        .orElse("it logged nothing");
  }

  private static String withoutHeading(String line) {
    Matcher ofEtcd = ETCD_FAILURE.matcher(line);
    return ofEtcd.find()
        ? ofEtcd.group(1) + ": " + ofEtcd.group(2)
        : KLOG_HEADING.matcher(line).replaceFirst("");
  }
}
