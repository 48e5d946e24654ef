package dev.drydock.kube;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Delays requests to a rate per second with bursts, before the next interceptor sees them. Requests
 * that remove pods, of which there may be many, take only what all others leave: so those that give
 * nodes back or say how things are never queue behind evictions. Leases are not delayed.
 */
public final class RateLimiter implements RequestInterceptor {
  private final RequestInterceptor next;
  private final LongSupplier nanos;
  private final double perNano;
  private final int burst;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition later = lock.newCondition();

  /** The removals of pods, one after the other. */
  private final ReentrantLock removals = new ReentrantLock(true);

  private double tokens;
  private long counted;

  /**
   * @param perSecond more than 0
   * @param burst at least 1
   */
  public RateLimiter(double perSecond, int burst, RequestInterceptor next) {
    this(perSecond, burst, next, System::nanoTime);
  }

  RateLimiter(double perSecond, int burst, RequestInterceptor next, LongSupplier nanos) {
    this.next = next;
    this.nanos = nanos;
    this.perNano = perSecond / Duration.ofSeconds(1).toNanos();
    this.burst = burst;
    tokens = burst;
    counted = nanos.getAsLong();
  }

  @Override
  public void before(ApiCall call) {
    try {
      if (call.removesPod()) {
        awaitRemoval();
      } else if (!call.isAboutLease()) {
        await(reserve());
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt(); // the request itself fails on the interrupt
    }
    next.before(call);
  }

  /** Waits for a slot; false at once, and nothing is taken, if there is none within this time. */
  public boolean acquire(Duration patience) throws InterruptedException {
    long wait;
    lock.lock();
    try {
      refill();
      wait = tokens >= 1 ? 0 : (long) Math.ceil((1 - tokens) / perNano);
      if (wait > patience.toNanos()) {
        return false;
      }
      tokens--;
    } finally {
      lock.unlock();
    }
    await(wait);
    return true;
  }

  private void awaitRemoval() throws InterruptedException {
    removals.lockInterruptibly();
    try {
      long wait = tryRemoval();
      while (wait > 0) {
        await(wait);
        wait = tryRemoval();
      }
    } finally {
      removals.unlock();
    }
  }

  private void await(long time) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long wait = time;
      while (wait > 0) {
        wait = later.awaitNanos(wait);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes a slot if one is free now, and otherwise returns the time after which to ask again. */
  long tryRemoval() {
    lock.lock();
    try {
      refill();
      if (tokens < 1) {
        return (long) Math.ceil((1 - tokens) / perNano);
      }
      tokens--;
      return 0;
    } finally {
      lock.unlock();
    }
  }

  /** Reserves the next slot and returns the time until then. */
  long reserve() {
    lock.lock();
    try {
      refill();
      tokens--;
      return tokens >= 0 ? 0 : (long) Math.ceil(-tokens / perNano);
    } finally {
      lock.unlock();
    }
  }

  private void refill() {
    long now = nanos.getAsLong();
    tokens = Math.min(burst, tokens + (now - counted) * perNano);
    counted = now;
  }

  @Override
  public void after(ApiCall call, int code) {
    next.after(call, code);
  }
}
