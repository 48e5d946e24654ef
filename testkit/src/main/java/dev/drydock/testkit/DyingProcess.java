package dev.drydock.testkit;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.RequestInterceptor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Makes a process die at its nth request of a kind: before the request is sent, or after the server
 * executed it but before the answer arrives. After that the process sends no requests.
 */
public class DyingProcess implements RequestInterceptor {
  private final int lastRequest;
  private final boolean carriesItOut;
  private final Predicate<ApiCall> counts;
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger underway = new AtomicInteger();
  private volatile boolean dead;

  /**
   * @param carriesItOut whether the last request still takes effect
   * @param counts which requests count
   */
  public DyingProcess(int lastRequest, boolean carriesItOut, Predicate<ApiCall> counts) {
    this.lastRequest = lastRequest;
    this.carriesItOut = carriesItOut;
    this.counts = counts;
  }

  /** Dies at a write. */
  public static DyingProcess atWrite(int lastWrite, boolean carriesItOut) {
    return new DyingProcess(lastWrite, carriesItOut, DyingProcess::isWrite);
  }

  public static boolean isWrite(ApiCall call) {
    return switch (call.verb()) {
      case CREATE, PATCH, DELETE -> true;
      case GET, LIST, WATCH -> false;
    };
  }

  @Override
  public void before(ApiCall call) {
    boolean watch = call.verb() == ApiCall.Verb.WATCH;
    if (!watch) {
      // before it looks whether it is dead: otherwise a successor could start in between
      underway.incrementAndGet();
    }
    if (dead || isTooLate(call)) {
      if (!watch) {
        underway.decrementAndGet();
      }
      die();
    }
  }

  private boolean isTooLate(ApiCall call) {
    if (!counts.test(call)) {
      return false;
    }
    int number = requests.incrementAndGet();
    return number > lastRequest || (number == lastRequest && !carriesItOut);
  }

  @Override
  public void after(ApiCall call, int code) {
    if (call.verb() != ApiCall.Verb.WATCH) {
      underway.decrementAndGet();
    }
    boolean isLast = counts.test(call) && requests.get() >= lastRequest;
    if (dead || (isLast && call.verb() != ApiCall.Verb.WATCH)) {
      die();
    }
  }

  /**
   * Whether it died and the server has answered the requests that it had sent at the same time as
   * its last. In production a successor starts later, because it waits for the Lease.
   */
  public boolean isDead() {
    return dead && underway.get() == 0;
  }

  private void die() {
    dead = true;
    throw new ProcessDeath();
  }
}
