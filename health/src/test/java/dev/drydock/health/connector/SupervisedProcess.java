package dev.drydock.health.connector;

import static java.util.Objects.requireNonNull;

import dev.drydock.testkit.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A process that is started again whenever it has ended, as a kubelet does. It says "ready true"
 * when it is.
 */
final class SupervisedProcess implements AutoCloseable {
  private final List<String> command;
  private final AtomicInteger kills = new AtomicInteger();
  private @Nullable Process process;
  private boolean ready;
  private boolean closed;

  SupervisedProcess(List<String> command) {
    this.command = List.copyOf(command);
    start();
    Thread.ofVirtual().start(this::supervise);
  }

  private synchronized boolean start() {
    if (closed) {
      return false;
    }
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void supervise() {
    do {
      // to its end: whoever does not read stops a process that logs
      BufferedReader output = running().inputReader();
      output.lines().filter("ready true"::equals).forEach(_ -> ready(true));
      ready(false);
    } while (start());
  }

  private synchronized Process running() {
    return requireNonNull(process);
  }

  private synchronized void ready(boolean now) {
    ready = now;
  }

  private synchronized boolean isReady() {
    return ready;
  }

  /** SIGKILL, whatever it is doing. */
  synchronized void kill() {
    kills.incrementAndGet();
    ready = false;
    var _ = running().destroyForcibly();
  }

  int kills() {
    return kills.get();
  }

  void awaitReady() {
    Eventually.inRealTime().atMost(Duration.ofMinutes(5)).until(this::isReady);
  }

  @Override
  public void close() {
    Process last;
    synchronized (this) {
      closed = true;
      last = running();
    }
    var _ = last.destroyForcibly();
    Eventually.inRealTime().until(() -> !last.isAlive());
  }
}
