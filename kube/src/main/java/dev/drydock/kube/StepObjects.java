package dev.drydock.kube;

import dev.drydock.kube.time.TimeSource;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Serves several objects in one step of a control loop, where they must take turns. A failing
 * object does not affect the others: its failure is logged, counted and shown by {@link Health}
 * under its own name, as if it had a loop of its own. For use by one step at a time.
 */
public final class StepObjects implements AutoCloseable {
  private final TimeSource time;
  private final LoopHealth health;
  private final Backoff backoff;
  private Set<Part> failing = ConcurrentHashMap.newKeySet();
  private Set<Part> failed = ConcurrentHashMap.newKeySet();
  private int failures;
  private boolean closed;

  /** One object, as it is shown to people. */
  private record Part(String loop, String subject) {
    @Override
    public String toString() {
      return loop + " " + subject;
    }
  }

  StepObjects(TimeSource time, LoopHealth health, Backoff backoff) {
    this.time = time;
    this.health = health;
    this.backoff = backoff;
  }

  /** Whether it succeeded. */
  public boolean run(String subject, Runnable turn) {
    Part part = new Part(health.name(), subject);
    boolean succeeded =
        Bugs.call(
            () -> attempt(part, turn),
            bug -> {
              health.broke(part, bug);
              return false;
            });
    if (!succeeded) {
      keep(part);
    }
    return succeeded;
  }

  /** A step that was running when its loop was closed may fail later: nobody would retry it. */
  private synchronized void keep(Part part) {
    if (closed) {
      health.recovered(part);
    } else {
      failed.add(part);
    }
  }

  private boolean attempt(Part part, Runnable turn) {
    try {
      turn.run();
      return true;
    } catch (ExpectedFailure failure) {
      health.failed(part, failure);
      return false;
    }
  }

  /**
   * The step is over.
   *
   * @param next when to look again if all went well
   * @return no later than that, and soon if something failed
   */
  public synchronized Instant done(Instant next) {
    failing.removeAll(failed);
    failing.forEach(health::recovered);
    failing = failed;
    failed = ConcurrentHashMap.newKeySet();
    failures = failing.isEmpty() ? 0 : failures + 1;
    if (failures == 0) {
      return next;
    }
    Instant retry = time.now().plus(backoff.after(failures));
    return retry.isBefore(next) ? retry : next;
  }

  /** Nothing more is shown. */
  @Override
  public synchronized void close() {
    closed = true;
    failing.forEach(health::recovered);
    failed.forEach(health::recovered);
  }
}
