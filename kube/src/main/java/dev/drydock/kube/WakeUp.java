package dev.drydock.kube;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes one thread. Several signals before the thread waits count as one. */
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

  /** Whether it was signalled; false after the timeout. */
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

  /** Collects further signals for a while; they count as part of the one received. */
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
