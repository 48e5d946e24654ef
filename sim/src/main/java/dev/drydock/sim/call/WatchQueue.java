package dev.drydock.sim.call;

import dev.drydock.sim.store.ObjectChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The changes that one watch has yet to send. A caller that reads too slowly is cut off, as a real
 * API server does; it can watch again from where it was, while that is remembered. Thread-safe.
 */
final class WatchQueue implements AutoCloseable {
  private final WatchQueues queues;
  private final int most;
  private final Consumer<WatchQueue> closed;
  private final List<ObjectChange> unsent = new ArrayList<>();
  private long takenUpTo;
  private boolean woken;
  private boolean behind;

  /**
   * @param most how many changes may wait
   */
  WatchQueue(WatchQueues queues, int most, Consumer<WatchQueue> closed) {
    this.queues = queues;
    this.most = most;
    this.closed = closed;
  }

  synchronized void add(ObjectChange change) {
    if (unsent.size() < most) {
      unsent.add(change);
    } else {
      behind = true;
    }
    notifyAll();
  }

  /** Ends a wait, because nothing more may come. */
  synchronized void wake() {
    woken = true;
    notifyAll();
  }

  /** All changes there are; waits for one if there is none. */
  synchronized List<ObjectChange> take(Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    for (long left = patience.toNanos();
        unsent.isEmpty() && !woken && left > 0;
        left = end - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    woken = false;
    takenUpTo = behind ? takenUpTo : queues.toldUpTo();
    List<ObjectChange> taken = List.copyOf(unsent);
    unsent.clear();
    return taken;
  }

  /** Everything up to this version was taken. */
  synchronized long takenUpTo() {
    return takenUpTo;
  }

  /** Whether changes are missing. */
  synchronized boolean isBehind() {
    return behind;
  }

  @Override
  public void close() {
    closed.accept(this);
  }
}
