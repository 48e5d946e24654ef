package dev.drydock.lifecycle;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.RequestInterceptor;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An agent that dies at its nth write: before it leaves, or after it was carried out but before
 * anybody learned the answer. From then on it makes no call at all. That it publishes its
 * transitions, which each start does again, is not counted.
 */
final class DyingAgent implements RequestInterceptor {
  private final int lastWrite;
  private final boolean carriesItOut;
  private final AtomicInteger writes = new AtomicInteger();
  private final CountDownLatch dead = new CountDownLatch(1);

  DyingAgent(int lastWrite, boolean carriesItOut) {
    this.lastWrite = lastWrite;
    this.carriesItOut = carriesItOut;
  }

  @Override
  public void before(ApiCall call) {
    if (isDead()) {
      die();
    }
    if (counts(call) && writes.incrementAndGet() >= lastWrite && !carriesItOut) {
      die();
    }
  }

  @Override
  public void after(ApiCall call, int code) {
    if (isDead() || (counts(call) && writes.get() >= lastWrite)) {
      die();
    }
  }

  private static boolean counts(ApiCall call) {
    return RecordedWrites.isWrite(call)
        && !call.path().contains("/" + LifecycleNames.TRANSITIONS + "/");
  }

  boolean isDead() {
    return dead.getCount() == 0;
  }

  private void die() {
    dead.countDown();
    throw new IllegalStateException("the process is dead");
  }
}
