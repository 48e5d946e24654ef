package dev.drydock.sim.kubelet;

import dev.drydock.kube.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of one object, never two at once. A kick during a step leads to one more step, so
 * that no change is missed.
 */
final class Serial {
  /**
   * Reads the current state, takes the next action, and returns the latest time of the next step
   * (null: only when kicked).
   */
  interface Step {
    @Nullable Instant run() throws IOException;
  }

  /**
   * Limits how many steps of a kind run at once. A step waits for its turn before it reads the
   * state, so that its decision is current when it is carried out.
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
