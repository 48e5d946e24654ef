package dev.drydock.maintenance.control;

import dev.drydock.kube.ApiCall;
import dev.drydock.kube.RequestInterceptor;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process that dies at its nth write: before it leaves, or after it was carried out but before
 * anybody learned the answer. From then on it makes no call at all.
 */
public final class DyingWriter implements RequestInterceptor {
  private final int lastWrite;
  private final boolean carriesItOut;
  private final AtomicInteger writes = new AtomicInteger();
  private final CountDownLatch dead = new CountDownLatch(1);

  public DyingWriter(int lastWrite, boolean carriesItOut) {
    this.lastWrite = lastWrite;
    this.carriesItOut = carriesItOut;
  }

  @Override
  public void before(ApiCall call) {
    if (isDead()) {
      die();
    }
    if (isWrite(call) && writes.incrementAndGet() >= lastWrite && !carriesItOut) {
      die();
    }
  }

  @Override
  public void after(ApiCall call, int code) {
    if (isWrite(call) && writes.get() >= lastWrite) {
      die();
    }
  }

  private static boolean isWrite(ApiCall call) {
    return switch (call.verb()) {
      case CREATE, PATCH, DELETE -> true;
      case GET, LIST, WATCH -> false;
    };
  }

  public boolean isDead() {
    return dead.getCount() == 0;
  }

  private void die() {
    dead.countDown();
    throw new IllegalStateException("the process is dead");
  }
}
