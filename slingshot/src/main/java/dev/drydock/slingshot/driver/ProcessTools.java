package dev.drydock.slingshot.driver;

import dev.drydock.slingshot.driver.decide.FailureReason;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Programs of the host as processes, which end with the agent. */
final class ProcessTools implements HostTools {
  /** None of the container's variables mean anything to the host. */
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "PATH",
          "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
          "HOME",
          "/root",
          "LC_ALL",
          "C");

  private static final int KEPT = 64 * 1024;

  /** Far more than a build prints: a program that prints without end would fill the disk. */
  private static final long MOST_OUTPUT = 256L << 20;

  private static final Duration LOOK = Duration.ofSeconds(1);

  private final HostCommand host;
  private final Path temporary;
  private final long mostOutput;
  private final Set<Process> running = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * @param host brings a command into the host's root
   * @param temporary a folder for what programs print
   */
  ProcessTools(HostCommand host, Path temporary) {
    this(host, temporary, MOST_OUTPUT);
  }

  ProcessTools(HostCommand host, Path temporary, long mostOutput) {
    this.host = host;
    this.temporary = temporary;
    this.mostOutput = mostOutput;
  }

  @Override
  public Result run(Duration within, List<String> command) {
    try {
      List<String> words = new ArrayList<>(host.words());
      words.addAll(command);
      Path output = Files.createTempFile(Files.createDirectories(temporary), "tool", ".log");
      try {
        return run(within, words, output);
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException failed) {
      throw new InstallFailure(
          FailureReason.HostToolFailed,
          "cannot run %s: %s".formatted(command.getFirst(), failed.getMessage()));
    }
  }

  private Result run(Duration within, List<String> words, Path output) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(ENVIRONMENT);
    // a file, because a daemon that is left behind would keep a pipe open
    builder.redirectOutput(output.toFile());
    builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    Process process = builder.start();
    running.add(process);
    try {
      if (closed || !hasEnded(process, within, words, output)) {
        throw new InstallFailure(
            FailureReason.HostToolFailed,
            "%s did not end within %s".formatted(String.join(" ", words), within));
      }
      return new Result(process.exitValue(), tail(output));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new InstallFailure(FailureReason.HostToolFailed, "the agent was stopped");
    } finally {
      running.remove(process);
      end(process);
    }
  }

  private boolean hasEnded(Process process, Duration within, List<String> words, Path output)
      throws IOException, InterruptedException {
    for (Duration left = within; left.isPositive(); left = left.minus(LOOK)) {
      Duration most = left.compareTo(LOOK) < 0 ? left : LOOK;
      if (process.waitFor(most)) {
        return true;
      }
      if (Files.size(output) > mostOutput) {
        throw new InstallFailure(
            FailureReason.HostToolFailed,
            "%s printed more than %d bytes and was stopped"
                .formatted(String.join(" ", words), mostOutput));
      }
    }
    return false;
  }

  private static String tail(Path output) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(output.toFile(), "r")) {
      long from = Math.max(0, file.length() - KEPT);
      byte[] bytes = new byte[(int) (file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  private static void end(Process process) {
    if (process.isAlive()) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** Ends what runs, so that the next agent need not wait for it. */
  @Override
  public void close() {
    closed = true;
    running.forEach(ProcessTools::end);
  }
}
