package dev.drydock.sim.kubelet;

import dev.drydock.kube.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
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

  /**
   * How many steps of a kind may run at once. A step waits for its turn before it looks at
   * anything, so that what it then decides is not out of date when it is carried out.
   */
  record Turns(Semaphore free, Consumer<IOException> onFailure) {
    static Turns of(int count, Consumer<IOException> onFailure) {
      return new Turns(new Semaphore(count, true), onFailure);
    }
  }

  private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

  private enum State {
    IDLE,
    AWAITING_TURN,
    RUNNING,
    KICKED_WHILE_RUNNING,
    STOPPED
  }

  private final TimeSource time;
  private final Turns turns;
  private final Step step;
  private State state = State.IDLE;
  private TimeSource.@Nullable Timer timer;

  Serial(TimeSource time, Turns turns, Step step) {
    this.time = time;
    this.turns = turns;
    this.step = step;
  }

  synchronized void kick() {
    switch (state) {
      case IDLE -> awaitTurn();
      case RUNNING -> state = State.KICKED_WHILE_RUNNING;
      case AWAITING_TURN, KICKED_WHILE_RUNNING, STOPPED -> {}
    }
  }

  synchronized void stop() {
    state = State.STOPPED;
    cancelTimer();
  }

  private void awaitTurn() {
    cancelTimer();
    state = State.AWAITING_TURN;
    time.schedule(Duration.ZERO, this::takeTurn);
  }

  private void takeTurn() {
    turns.free().acquireUninterruptibly();
    try {
      if (begin()) {
        runStep();
      }
    } finally {
      turns.free().release();
    }
  }

  private synchronized boolean begin() {
    if (state == State.STOPPED) {
      return false;
    }
    state = State.RUNNING;
    return true;
  }

  private void runStep() {
    Instant next = null;
    try {
      next = step.run();
    } catch (IOException failed) {
      turns.onFailure().accept(failed);
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
      awaitTurn();
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
