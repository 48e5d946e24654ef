package dev.drydock.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Starts processes, such as those of a cluster, and ensures that they end. A small script outlives
 * this JVM: when the pipe to it closes, because of {@link #close} or because the JVM died, it stops
 * every process that has its marker in its environment, and removes its folder.
 */
public final class Guardian implements AutoCloseable {
  static final String MARKER = "DRYDOCK_TESTBED";

  private final Path directory;
  private final Process script;
  private boolean closed;

  private Guardian(Path directory, Process script) {
    this.directory = directory;
    this.script = script;
  }

  /**
   * Starts a guardian.
   *
   * @param directory removed at the end
   */
  public static Guardian of(Path directory) {
    try {
      // passed as text: bash would still be reading a file while the script removes it
      ProcessBuilder builder =
          new ProcessBuilder(
                  "setsid", "bash", "-c", scriptText(), "drydock-guardian", directory.toString())
              .redirectErrorStream(true);
      // so that the guardian of a cluster inside a cluster does not stop with the outer one
      builder.environment().remove(MARKER);
      return new Guardian(directory, builder.start());
    } catch (IOException e) {
      throw new TestbedUnavailable("a cluster needs Linux with bash and setsid: " + e.getMessage());
    }
  }

  Path directory() {
    return directory;
  }

  /** Whatever is started with it, and by that in turn, ends with this guardian. */
  public Map<String, String> environment() {
    return Map.of(MARKER, directory.toString());
  }

  /** Starts a process in its own session, so that Ctrl-C in a terminal does not reach it. */
  public synchronized Process start(List<String> command, Map<String, String> environment, Path log)
      throws IOException {
    if (closed || !script.isAlive()) {
      throw new TestbedException("the cluster in %s was stopped".formatted(directory));
    }
    List<String> inOwnSession = new ArrayList<>(List.of("setsid"));
    inOwnSession.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(inOwnSession)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    builder.environment().putAll(environment());
    return builder.start();
  }

  /** Bash commands that run before the processes are stopped, even if this JVM was killed. */
  void beforeStop(String name, String commands) throws IOException {
    Path scripts = Files.createDirectories(directory.resolve("cleanup.d"));
    Files.writeString(scripts.resolve(name + ".sh"), commands);
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      script.getOutputStream().close();
      String said = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (script.waitFor() != 0) {
        throw new TestbedException(
            "the cluster in %s did not stop cleanly: %s".formatted(directory, said.strip()));
      }
    } catch (IOException e) {
      throw new TestbedException("lost the guardian of " + directory, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException(
          "interrupted while the cluster in %s stops".formatted(directory), e);
    }
  }

  private static String scriptText() throws IOException {
    try (InputStream in = Guardian.class.getResourceAsStream("guardian.sh")) {
      if (in == null) {
        throw new IOException("the testbed was packaged without guardian.sh");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
