package dev.drydock.kube;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** Delays requests to a rate per second with bursts, before the next interceptor sees them. */
public final class RateLimiter implements RequestInterceptor {
  private final RequestInterceptor next;
  private final LongSupplier nanos;
  private final double perNano;
  private final int burst;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition later = lock.newCondition();
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
    lock.lock();
    try {
      long wait = reserve();
      while (wait > 0) {
        wait = later.awaitNanos(wait);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt(); // the request itself fails on the interrupt
    } finally {
      lock.unlock();
    }
    next.before(call);
  }

  /** Reserves the next slot and returns the time until then. */
  long reserve() {
    lock.lock();
    try {
      long now = nanos.getAsLong();
      tokens = Math.min(burst, tokens + (now - counted) * perNano) - 1;
      counted = now;
      return tokens >= 0 ? 0 : (long) Math.ceil(-tokens / perNano);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void after(ApiCall call, int code) {
    next.after(call, code);
  }
}
