package dev.drydock.bench;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The state seen by a watch, with ways to wait for it. This object's lock guards all state. */
abstract class WatchedState<T> implements ResourceEventHandler<T>, AutoCloseable {
  private long lastChange = System.nanoTime();
  private @Nullable SharedIndexInformer<T> informer;

  /** Called last in the constructor: the informer calls methods of this object. */
  final void informs(SharedIndexInformer<T> informer) {
    this.informer = informer;
  }

  @Override
  public final void onUpdate(T before, T now) {
    onAdd(now);
  }

  @Override
  public final void close() {
    if (informer != null) {
      informer.close();
    }
  }

  /** Wakes all waiting threads after a change. */
  final synchronized void changed() {
    lastChange = System.nanoTime();
    notifyAll();
  }

  /** Returns when the condition holds. */
  final synchronized void await(String what, Duration limit, BooleanSupplier condition) {
    long deadline = System.nanoTime() + limit.toNanos();
    try {
      while (!condition.getAsBoolean()) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          throw new BenchFailure("waited %d s until %s".formatted(limit.toSeconds(), what));
        }
        wait(millis(left));
      }
    } catch (InterruptedException e) {
      throw BenchFailure.interrupted(e);
    }
  }

  /** Returns when nothing has changed for this long. */
  final synchronized void awaitQuiet(Duration time) {
    awaitTime(() -> lastChange + time.toNanos());
  }

  /** Returns after this time in any case. */
  final void pause(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    awaitTime(() -> end);
  }

  private synchronized void awaitTime(LongSupplier end) {
    try {
      for (long left = end.getAsLong() - System.nanoTime();
          left > 0;
          left = end.getAsLong() - System.nanoTime()) {
        wait(millis(left));
      }
    } catch (InterruptedException e) {
      throw BenchFailure.interrupted(e);
    }
  }

  private static long millis(long nanos) {
    return nanos / 1_000_000 + 1;
  }
}
