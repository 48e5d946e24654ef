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

/** What the lanes of all nodes share. */
record Postroom(
    KubeHttp http,
    OutboxSettings settings,
    Map<String, Gate> gates,
    NoticeCounter counter,
    CountDownLatch closing) {
  private static final Logger LOG = LoggerFactory.getLogger(Postroom.class);

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

  Instant expiry(Entry entry) {
    return entry.stored().plus(settings.retention());
  }

  /** For the channels that this notice is pending for. */
  void giveUp(Entry entry, String why) {
    LOG.warn(
        "notice {} \"{}\" is dropped for {}: {}",
        entry.id(),
        entry.notice().text(),
        String.join(", ", new TreeSet<>(entry.pending())),
        why);
    entry.pending().forEach(counter::failed);
  }
}
