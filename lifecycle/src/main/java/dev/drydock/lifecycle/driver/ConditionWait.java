package dev.drydock.lifecycle.driver;

import io.grpc.Context;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Lets calls wait until something is so, without asking again and again. */
final class ConditionWait {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  void tell() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns when it is so, when the time is over, or when the caller has hung up. */
  void await(BooleanSupplier so, Duration most) {
    Context call = Context.current();
    Context.CancellationListener hungUp = _ -> tell();
    call.addListener(hungUp, Runnable::run);
    lock.lock();
    try {
      long left = most.toNanos();
      while (!so.getAsBoolean() && !call.isCancelled() && left > 0) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
      call.removeListener(hungUp);
    }
  }
}
