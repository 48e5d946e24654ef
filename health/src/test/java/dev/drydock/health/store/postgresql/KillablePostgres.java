package dev.drydock.health.store.postgresql;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.drydock.testbed.Ports;
import dev.drydock.testkit.Eventually;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A real PostgreSQL with its own settings that can be killed (SIGKILL) and started again. */
public final class KillablePostgres implements AutoCloseable {
  private final Path data;
  private final int port = Ports.free();
  private @Nullable EmbeddedPostgres running;

  /**
   * @param data where it keeps everything
   */
  public KillablePostgres(Path data) {
    assumeTrue(
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64"),
        "skipped: the PostgreSQL for tests is built for Linux on amd64");
    this.data = data;
  }

  /** Returns when it takes connections; after a kill, when it has recovered. */
  public void start() throws IOException {
    running =
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setPort(port)
            .setPGStartupWait(Duration.ofMinutes(2))
            .start();
  }

  /** All its processes at once, as when the machine fails. */
  public void kill() throws IOException {
    long pid = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst());
    ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
    List<ProcessHandle> all =
        Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    Eventually.inRealTime().until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
    requireNonNull(running).close(); // finds nothing to stop, and gives up its lock on the folder
    running = null;
  }

  public PostgresConfig config() {
    return PostgresServer.config("postgres", port, PostgresServer.ADMINISTRATOR, "");
  }

  @Override
  public void close() throws IOException {
    if (running != null) {
      kill();
    }
  }
}
