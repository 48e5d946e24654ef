package dev.drydock.kube;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes one thread. Rings that come while it does not wait count as one. */
public final class WakeUp {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition rung = lock.newCondition();
  private final Condition never = lock.newCondition();
  private boolean ringing;

  public void ring() {
    lock.lock();
    try {
      ringing = true;
      rung.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Whether it rang; false when the time is over. */
  public boolean await(Duration most) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = most.toNanos();
      while (!ringing && left > 0) {
        left = rung.awaitNanos(left);
      }
      boolean rang = ringing;
      ringing = false;
      return rang;
    } finally {
      lock.unlock();
    }
  }

  /** Lets more rings come for a while; they are part of the one that was heard. */
  public void gather(Duration time) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = time.toNanos();
      while (left > 0) {
        left = never.awaitNanos(left);
      }
      ringing = false;
    } finally {
      lock.unlock();
    }
  }
}
