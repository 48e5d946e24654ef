package dev.drydock.kube;

import dev.drydock.kube.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Runs one step repeatedly: when it is woken, and at the time that the last step asked for. Never
 * runs two steps at once; wake-ups during a step lead to one more step. A failed step is retried
 * after a back-off, whatever it threw: a failed request is logged in one line; a bug is logged with
 * its stack trace, counted, and reported by {@link Health}.
 */
public final class ControlLoop implements AutoCloseable {
  private static final int FAILURES_RETRIED_ON_WAKE_UP = 3;

  /** The loop whose step runs on this thread. */
  private static final ThreadLocal<@Nullable ControlLoop> RUNNING = new ThreadLocal<>();

  /** Compares the current state with the desired one and acts. */
  @FunctionalInterface
  public interface Step {
    /** The latest time of the next step; {@link Instant#MAX} to run again only when woken. */
    Instant run();
  }

  private enum State {
    IDLE,
    /** Scheduled: runs as soon as a thread is available or the debounce time has passed. */
    SCHEDULED,
    RUNNING,
    WOKEN_WHILE_RUNNING,
    CLOSED
  }

  private final TimeSource time;
  private final LoopHealth health;
  private final Backoff backoff;
  private final Debounce debounce;
  private final String subject;
  private final Step step;
  private State state = State.IDLE;
  private TimeSource.Timer timer = TimeSource.Timer.NONE;

  /** In elapsed time, as the following: the clock may be set while a loop waits. */
  private @Nullable Duration due;

  private @Nullable Duration progressed;
  private Duration notBefore = Duration.ZERO;
  private Duration lastStep = Duration.ZERO;
  private int failures;

  /** Closed by somebody else while a step may have been running. */
  private volatile boolean ended;

  /** How long wake-ups are collected into one step, for sources that wake often. */
  @FunctionalInterface
  public interface Debounce {
    Debounce NONE = _ -> Duration.ZERO;

    /** The collection time, given the duration of the last step. */
    Duration after(Duration lastStep);

    static Debounce fixed(Duration time) {
      return _ -> time;
    }

    /**
     * So many times the duration of the last step, which limits what steps take of the elapsed
     * time; the delay never exceeds this maximum.
     */
    static Debounce lastStepTimes(int factor, Duration most) {
      return last -> {
        Duration time = last.multipliedBy(factor);
        return time.compareTo(most) < 0 ? time : most;
      };
    }
  }

  /**
   * Shared by all loops of one kind.
   *
   * @param health where failures are counted and reported
   */
  record Kind(TimeSource time, LoopHealth health, Backoff backoff, Debounce debounce) {}

  /**
   * @param subject the object that this loop is about, for people; empty if the kind is enough
   */
  ControlLoop(Kind kind, String subject, Step step) {
    this.time = kind.time();
    this.health = kind.health();
    this.backoff = kind.backoff();
    this.debounce = kind.debounce();
    this.subject = subject;
    this.step = step;
    health.added(this);
  }

  /** Runs a step soon, because something may have changed. */
  public synchronized void wake() {
    switch (state) {
      case IDLE -> schedule(delayOfWakeUp());
      case RUNNING -> state = State.WOKEN_WHILE_RUNNING;
      case SCHEDULED, WOKEN_WHILE_RUNNING, CLOSED -> {}
    }
  }

  /** Runs a step although nothing has changed, unless the loop was never woken. */
  synchronized void resync() {
    if (progressed != null) {
      wake();
    }
  }

  /** A wake-up retries a failed request at once, at first; a bug only after its back-off. */
  private Duration delayOfWakeUp() {
    Duration left = notBefore.minus(time.elapsed());
    return left.isPositive() ? left : debounce.after(lastStep);
  }

  private void schedule(Duration delay) {
    timer.cancel();
    state = State.SCHEDULED;
    due = later(delay);
    timer = time.schedule(delay, this::runStep);
  }

  private void runStep() {
    Duration from = time.elapsed();
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
      next = Bugs.call(this::attempt, this::broke);
    } finally {
      RUNNING.set(outer);
    }
    stepped(from, next);
  }

  private Instant attempt() {
    try {
      Instant next = step.run();
      recovered();
      return next;
    } catch (ExpectedFailure failure) {
      return failed(failure);
    }
  }

  private synchronized void stepped(Duration from, Instant next) {
    lastStep = time.elapsed().minus(from);
    if (state == State.CLOSED) {
      return;
    }
    boolean woken = state == State.WOKEN_WHILE_RUNNING;
    state = State.IDLE;
    due = null;
    if (woken) {
      wake();
    } else if (next.isBefore(Instant.MAX)) {
      waitUntil(next);
    }
  }

  private void waitUntil(Instant next) {
    Duration delay = Duration.between(time.now(), next);
    due = later(delay);
    timer = time.schedule(delay, this::timeIsUp);
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
    health.failed(this, failure);
    synchronized (this) {
      Duration delay = nextDelay();
      // A failing step whose own writes wake it would otherwise run without pause.
      notBefore = failures > FAILURES_RETRIED_ON_WAKE_UP ? later(delay) : notBefore;
      return time.now().plus(delay);
    }
  }

  private Instant broke(Throwable bug) {
    health.broke(this, bug);
    synchronized (this) {
      Duration delay = nextDelay();
      notBefore = later(delay);
      return time.now().plus(delay);
    }
  }

  private Duration nextDelay() {
    failures++;
    return backoff.after(failures);
  }

  private Duration later(Duration delay) {
    return delay.isPositive() ? time.elapsed().plus(delay) : time.elapsed();
  }

  /**
   * Records progress when a request is answered: a step that waits for a slow server is not stuck.
   */
  static void progress() {
    ControlLoop running = RUNNING.get();
    if (running != null) {
      running.progressed();
    }
  }

  private synchronized void progressed() {
    progressed = time.elapsed();
  }

  /** How long a step is overdue; not positive if none is. */
  synchronized Duration overdue() {
    Duration since =
        switch (state) {
          case RUNNING, WOKEN_WHILE_RUNNING -> progressed;
          case SCHEDULED, IDLE -> due;
          case CLOSED -> null;
        };
    return since == null ? Duration.ZERO : time.elapsed().minus(since);
  }

  /**
   * Whether the loop whose step runs on this thread was closed meanwhile. Such a step sends no more
   * requests: a process that no longer leads must not go on with what it had queued.
   */
  static boolean isEnded() {
    ControlLoop running = RUNNING.get();
    return running != null && running.ended;
  }

  /** Starts no further steps; does not wait for a running one, whose next request fails. */
  @Override
  public void close() {
    ended = RUNNING.get() != this; // a step that closes its own loop may go on
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
