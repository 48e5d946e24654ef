package dev.drydock.edge.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delays a shutdown that logind has begun, e.g. by {@code systemctl reboot}, until it is released.
 * The lock is held by systemd's own programs in a child process, because it is a file descriptor
 * that logind passes over D-Bus, which Java cannot receive. The same child prints logind's signals.
 */
final class LogindDelay implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogindDelay.class);
  private static final Duration AGAIN = Duration.ofSeconds(10);
  private static final String SIGNAL = "PrepareForShutdown";

  static final List<String> COMMAND =
      List.of(
          "systemd-inhibit",
          "--what=shutdown",
          "--mode=delay",
          "--who=drydock",
          "--why=the node is drained first",
          "busctl",
          "--system",
          "--json=short",
          "--match=type='signal',interface='org.freedesktop.login1.Manager',member='"
              + SIGNAL
              + "'",
          "monitor");

  private final Kube kube;
  private final List<String> command;
  private final Runnable shutdown;
  private final ControlLoop loop;
  private @Nullable Process child;
  private boolean closed;

  /**
   * @param shutdown runs when the machine is about to go down
   */
  LogindDelay(Kube kube, Runnable shutdown) {
    this(kube, COMMAND, shutdown);
  }

  LogindDelay(Kube kube, List<String> command, Runnable shutdown) {
    this.kube = kube;
    this.command = command;
    this.shutdown = shutdown;
    loop = kube.loop("edge-logind", this::step);
  }

  void start() {
    loop.wake();
  }

  /** Holds the lock; again after it was lost, e.g. because the bus was restarted. */
  private synchronized Instant step() {
    if (closed || (child != null && child.isAlive())) {
      return Instant.MAX;
    }
    try {
      Process made =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      child = made;
      kube.time().execute(() -> listen(made));
      var _ = made.onExit().thenRun(() -> kube.time().schedule(AGAIN, loop::wake));
      LOG.info("shutdowns by logind wait until the node is drained");
      return Instant.MAX;
    } catch (IOException missing) {
      LOG.warn("shutdowns by logind do not wait for the drain: {}", missing.getMessage());
      return kube.time().now().plus(AGAIN);
    }
  }

  synchronized boolean isHeld() {
    return child != null && child.isAlive();
  }

  private void listen(Process made) {
    try (BufferedReader lines = made.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (isShutdown(line)) {
          shutdown.run();
        }
      }
    } catch (IOException ended) {
      LOG.debug("the bus is not heard any more: {}", ended.toString());
    }
  }

  static boolean isShutdown(String line) {
    try {
      JsonNode message = Json.read(line);
      return message.path("member").asText("").equals(SIGNAL)
          && message.path("payload").path("data").path(0).asBoolean(false);
    } catch (IOException other) {
      return false; // busctl also prints lines for people
    }
  }

  /** Lets the shutdown go on. */
  synchronized void release() {
    if (child != null) {
      child.descendants().forEach(ProcessHandle::destroy);
      child.destroy();
      child = null;
    }
  }

  @Override
  public void close() {
    loop.close();
    synchronized (this) {
      closed = true;
    }
    release();
  }
}
