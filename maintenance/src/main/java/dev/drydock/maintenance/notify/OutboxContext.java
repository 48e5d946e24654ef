package dev.drydock.maintenance.notify;

import dev.drydock.kube.KubeHttp;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the queues of all nodes share. */
record OutboxContext(
    KubeHttp http,
    OutboxSettings settings,
    Map<String, ChannelLimiter> limiters,
    NoticeCounter counter,
    CountDownLatch closing) {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxContext.class);

  boolean isClosed() {
    return closing.getCount() == 0;
  }

  /** Returns early when we close. */
  void rest(Duration time) throws InterruptedException {
    var _ = closing.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  Instant now() {
    return settings.clock().instant();
  }

  Instant expiry(QueuedNotice queued) {
    return queued.stored().plus(settings.retention());
  }

  /** For the channels that this notice is pending for. */
  void giveUp(QueuedNotice queued, String why) {
    LOG.warn(
        "notice {} \"{}\" is dropped for {}: {}",
        queued.id(),
        queued.notice().text(),
        String.join(", ", new TreeSet<>(queued.pending())),
        why);
    queued.pending().forEach(counter::failed);
  }
}
