package dev.drydock.maintenance.notify;

import dev.drydock.kube.Kube;
import java.time.Instant;
import java.util.Map;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the queues of all nodes share. */
record OutboxContext(
    Kube kube,
    OutboxSettings settings,
    Map<String, ChannelLimiter> limiters,
    NoticeCounter counter) {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxContext.class);

  Instant now() {
    return kube.clock().instant();
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
