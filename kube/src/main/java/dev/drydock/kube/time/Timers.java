package dev.drydock.kube.time;

import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Scheduled actions. Due actions run one at a time, ordered by instant and then by the order in
 * which they were scheduled, on the thread that drives the time. Thread-safe.
 */
public final class Timers {
  private record Timer(Instant when, long sequence, Object key, Runnable action) {}

  private static final Comparator<Timer> ORDER =
      Comparator.comparing(Timer::when).thenComparingLong(Timer::sequence);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final PriorityQueue<Timer> queue = new PriorityQueue<>(ORDER);
  private final Map<Object, Timer> byKey = new HashMap<>();
  private final Clock clock;
  private long sequence;

  public Timers(Clock clock) {
    this.clock = clock;
  }

  /** Schedules the action and replaces the one scheduled before for this key. */
  public void set(Object key, Instant when, Runnable action) {
    lock.lock();
    try {
      Timer before = byKey.get(key);
      if (before != null && before.when().equals(when)) {
        return;
      }
      Timer timer = new Timer(when, sequence++, key, action);
      byKey.put(key, timer);
      queue.add(timer);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public void cancel(Object key) {
    lock.lock();
    try {
      // the replaced entry stays in the queue and is skipped when due
      byKey.remove(key);
    } finally {
      lock.unlock();
    }
  }

  /** The next due time, or null. */
  public @Nullable Instant next() {
    lock.lock();
    try {
      Timer first = first();
      return first == null ? null : first.when();
    } finally {
      lock.unlock();
    }
  }

  /** Runs all due actions, including those that become due meanwhile. */
  public void runDue() {
    Runnable due = takeDue();
    while (due != null) {
      due.run();
      due = takeDue();
    }
  }

  /** Waits until the next action is due. */
  void awaitDue() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Timer first = first();
      while (first == null || first.when().isAfter(clock.instant())) {
        if (first == null) {
          changed.await();
        } else {
          long nanos = clock.instant().until(first.when()).toNanos();
          var _ = changed.awaitNanos(nanos);
        }
        first = first();
      }
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Runnable takeDue() {
    lock.lock();
    try {
      Timer first = first();
      if (first == null || first.when().isAfter(clock.instant())) {
        return null;
      }
      queue.remove();
      byKey.remove(first.key());
      return first.action();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Timer first() {
    Timer first = queue.peek();
    while (first != null && !first.equals(byKey.get(first.key()))) {
      queue.remove();
      first = queue.peek();
    }
    return first;
  }
}
