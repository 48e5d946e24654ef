package dev.drydock.kube;

import dev.drydock.kube.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one step again and again: when it is woken, and at the time that the last step asked for.
 * Never runs two steps at once; wake-ups that come during a step lead to one more step. A step that
 * fails is run again after a back-off, whatever it threw: a failed request is logged in one line, a
 * bug with its stack trace, counted, and shown by {@link Health}.
 */
public final class ControlLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ControlLoop.class);

  private static final int FAILURES_RETRIED_ON_WAKE_UP = 3;

  /** Which loop's step runs on this thread. */
  private static final ThreadLocal<@Nullable ControlLoop> RUNNING = new ThreadLocal<>();

  /** Looks at the present state and does what is to be done. */
  @FunctionalInterface
  public interface Step {
    /** When to look again at the latest; {@link Instant#MAX} if only a wake-up brings more. */
    Instant run();
  }

  private enum State {
    IDLE,
    /** Will run as soon as a thread is there, or the time for gathering wake-ups is over. */
    SCHEDULED,
    RUNNING,
    WOKEN_WHILE_RUNNING,
    CLOSED
  }

  private final TimeSource time;
  private final LoopHealth health;
  private final Backoff backoff;
  private final Gather gather;
  private final String subject;
  private final Step step;
  private State state = State.IDLE;
  private TimeSource.Timer timer = TimeSource.Timer.NONE;
  private Instant due = Instant.MAX;
  private Instant progressed = Instant.MIN;
  private Duration lastStep = Duration.ZERO;
  private Instant notBefore = Instant.EPOCH;
  private int failures;

  /** How long wake-ups are gathered before they lead to a step, because they come in numbers. */
  @FunctionalInterface
  public interface Gather {
    Gather NOT = _ -> Duration.ZERO;

    /** How long, by what the last step took. */
    Duration after(Duration lastStep);

    static Gather fixed(Duration time) {
      return _ -> time;
    }

    /** So that at most a third of the time goes into steps; never longer than this. */
    static Gather twiceTheLastStep(Duration most) {
      return last -> {
        Duration twice = last.multipliedBy(2);
        return twice.compareTo(most) < 0 ? twice : most;
      };
    }
  }

  /**
   * What is common to all loops of one kind.
   *
   * @param health where failures are counted and shown
   */
  record Kind(TimeSource time, LoopHealth health, Backoff backoff, Gather gather) {}

  /**
   * @param subject what this loop is about, for people; empty if its kind says it all
   */
  ControlLoop(Kind kind, String subject, Step step) {
    this.time = kind.time();
    this.health = kind.health();
    this.backoff = kind.backoff();
    this.gather = kind.gather();
    this.subject = subject;
    this.step = step;
    health.added(this);
  }

  /** Something may have changed. */
  public synchronized void wake() {
    switch (state) {
      case IDLE -> schedule(delayOfWakeUp());
      case RUNNING -> state = State.WOKEN_WHILE_RUNNING;
      case SCHEDULED, WOKEN_WHILE_RUNNING, CLOSED -> {}
    }
  }

  /** A failed request is retried at once on a wake-up, at first; a bug only after its back-off. */
  private Duration delayOfWakeUp() {
    Duration left = Duration.between(time.now(), notBefore);
    return left.isPositive() ? left : gather.after(lastStep);
  }

  private void schedule(Duration delay) {
    timer.cancel();
    state = State.SCHEDULED;
    due = later(time.now(), delay);
    timer = time.schedule(delay, this::runStep);
  }

  private void runStep() {
    Instant from = time.now();
    synchronized (this) {
      if (state == State.CLOSED) {
        return;
      }
      state = State.RUNNING;
      progressed = from;
    }
    Instant next;
    ControlLoop outer = RUNNING.get();
    RUNNING.set(this);
    try {
      next = step.run();
      recovered();
    } catch (ExpectedFailure failure) {
      next = failed(failure);
    } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError bug) {
      next = broke(bug);
    } finally {
      RUNNING.set(outer);
    }
    stepped(from, next);
  }

  private synchronized void stepped(Instant from, Instant next) {
    lastStep = Duration.between(from, time.now());
    if (state == State.CLOSED) {
      return;
    }
    boolean woken = state == State.WOKEN_WHILE_RUNNING;
    state = State.IDLE;
    due = Instant.MAX;
    if (woken) {
      wake();
    } else if (next.isBefore(Instant.MAX)) {
      waitUntil(next);
    }
  }

  private void waitUntil(Instant next) {
    due = next;
    timer = time.schedule(Duration.between(time.now(), next), this::timeIsUp);
  }

  private synchronized void timeIsUp() {
    if (state == State.IDLE) {
      schedule(Duration.ZERO);
    }
  }

  private synchronized void recovered() {
    if (failures > 0) {
      health.recovered(this);
    }
    failures = 0;
  }

  private Instant failed(ExpectedFailure failure) {
    health.failed(this, failure.getMessage());
    if (failure.isNews() && !isClosed()) {
      LOG.warn("{}: {}; trying again", this, failure.getMessage());
    }
    Instant retry = retryAt();
    synchronized (this) {
      // A step may wake itself by what it writes before it fails, and would never come to rest.
      notBefore = failures > FAILURES_RETRIED_ON_WAKE_UP ? retry : notBefore;
    }
    return retry;
  }

  private Instant broke(Throwable bug) {
    if (health.broke(this, bug)) {
      LOG.error("{}: a bug; trying again", this, bug);
    } else {
      LOG.warn("{}: a bug again: {}; trying again", this, String.valueOf(bug));
    }
    synchronized (this) {
      notBefore = retryAt();
      return notBefore;
    }
  }

  private synchronized Instant retryAt() {
    failures++;
    return later(time.now(), backoff.after(failures));
  }

  private static Instant later(Instant from, Duration delay) {
    return delay.isPositive() ? from.plus(delay) : from;
  }

  private synchronized boolean isClosed() {
    return state == State.CLOSED;
  }

  /** Told when a request was answered: whoever waits for a slow server is not stuck. */
  static void progress() {
    ControlLoop running = RUNNING.get();
    if (running != null) {
      running.progressed();
    }
  }

  private synchronized void progressed() {
    progressed = time.now();
  }

  /** Since when it should have gone on; {@link Instant#MAX} if it waits as it said it would. */
  synchronized Instant stuckSince() {
    return switch (state) {
      case RUNNING, WOKEN_WHILE_RUNNING -> progressed;
      case SCHEDULED, IDLE -> due;
      case CLOSED -> Instant.MAX;
    };
  }

  /** Whether it waits, and nothing has woken it. */
  synchronized boolean isIdle() {
    return state == State.IDLE;
  }

  /** No step begins any more; one that runs is not waited for. */
  @Override
  public void close() {
    synchronized (this) {
      state = State.CLOSED;
      timer.cancel();
    }
    health.removed(this);
  }

  @Override
  public String toString() {
    return subject.isEmpty() ? health.name() : health.name() + " " + subject;
  }
}
