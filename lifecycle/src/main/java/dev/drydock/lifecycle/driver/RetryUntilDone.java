package dev.drydock.lifecycle.driver;

import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Backoff;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out what nobody must wait for, again and again until it works or this is closed. */
final class RetryUntilDone implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RetryUntilDone.class);

  private final String what;
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * @param what it is about, for people
   */
  RetryUntilDone(String what) {
    this.what = what;
  }

  void run(Runnable work) {
    Thread.ofVirtual().name(what).start(() -> untilItWorks(work));
  }

  private void untilItWorks(Runnable work) {
    try {
      for (int failures = 1; closed.getCount() > 0; failures++) {
        try {
          work.run();
          return;
        } catch (ApiFailure later) {
          LOG.warn("{}: {}", what, later.getMessage());
          long wait = Backoff.USUAL.after(failures).toMillis();
          if (!later.passing() || closed.await(wait, TimeUnit.MILLISECONDS)) {
            return;
          }
        }
      }
    } catch (HoldsUnreadable broken) {
      LOG.warn("{}", broken.getMessage());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isClosed() {
    return closed.getCount() == 0;
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
