package dev.drydock.testbed.kubelet;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of one object, never two at once. A kick during a step makes one more step follow
 * it, so nothing that was observed goes unconsidered.
 */
final class Serial {
  /**
   * Looks at the present state, does the next thing, and says when to look again at the latest
   * (null: when kicked).
   */
  interface Step {
    @Nullable Instant run() throws IOException;
  }

  private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

  private enum State {
    IDLE,
    RUNNING,
    KICKED_WHILE_RUNNING,
    STOPPED
  }

  private final TimeSource time;
  private final Step step;
  private final Consumer<IOException> onFailure;
  private State state = State.IDLE;
  private TimeSource.@Nullable Timer timer;

  Serial(TimeSource time, Consumer<IOException> onFailure, Step step) {
    this.time = time;
    this.onFailure = onFailure;
    this.step = step;
  }

  synchronized void kick() {
    switch (state) {
      case IDLE -> start();
      case RUNNING -> state = State.KICKED_WHILE_RUNNING;
      case KICKED_WHILE_RUNNING, STOPPED -> {}
    }
  }

  synchronized void stop() {
    state = State.STOPPED;
    cancelTimer();
  }

  private void start() {
    cancelTimer();
    state = State.RUNNING;
    time.schedule(Duration.ZERO, this::runStep);
  }

  private void runStep() {
    Instant next = null;
    try {
      next = step.run();
    } catch (IOException failed) {
      onFailure.accept(failed);
      next = time.now().plus(RETRY_AFTER);
    } finally {
      stepped(next);
    }
  }

  private synchronized void stepped(@Nullable Instant next) {
    if (state == State.STOPPED) {
      return;
    }
    if (state == State.KICKED_WHILE_RUNNING) {
      start();
      return;
    }
    state = State.IDLE;
    if (next != null) {
      timer = time.schedule(Duration.between(time.now(), next), this::kick);
    }
  }

  private void cancelTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
