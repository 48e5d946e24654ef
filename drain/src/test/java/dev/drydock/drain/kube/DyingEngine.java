package dev.drydock.drain.kube;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiCall.Verb;
import dev.drydock.kube.RequestInterceptor;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process that dies at its nth call: either before the request leaves, or after it was carried
 * out but before anybody learned the answer. From then on it makes no call at all.
 */
final class DyingEngine implements RequestInterceptor {
  private final int lastCall;
  private final boolean carriesItOut;
  private final Map<String, AtomicInteger> evictions;
  private final AtomicInteger calls = new AtomicInteger();
  private final CountDownLatch dead = new CountDownLatch(1);

  DyingEngine(int lastCall, boolean carriesItOut, Map<String, AtomicInteger> evictions) {
    this.lastCall = lastCall;
    this.carriesItOut = carriesItOut;
    this.evictions = evictions;
  }

  @Override
  public void before(ApiCall call) {
    int number = calls.incrementAndGet();
    if (number > lastCall || (number == lastCall && !carriesItOut)) {
      die();
    }
  }

  @Override
  public void after(ApiCall call, int code) {
    if (call.verb() == Verb.CREATE && call.path().endsWith("/eviction") && code == 201) {
      String body = Objects.requireNonNull(call.body());
      evictions.computeIfAbsent(uid(body), uid -> new AtomicInteger()).incrementAndGet();
    }
    if (calls.get() >= lastCall && call.verb() != Verb.WATCH) {
      die();
    }
  }

  boolean isDead() {
    return dead.getCount() == 0;
  }

  private void die() {
    dead.countDown();
    throw new IllegalStateException("the process is dead");
  }

  private static String uid(String body) {
    return body.replaceAll("(?s).*\"uid\":\"([^\"]+)\".*", "$1");
  }
}
