package dev.drydock.maintenance.notify;

import dev.drydock.maintenance.notify.Channel.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one channel that the queues of all nodes share: a few notices at a time, and none
 * while the receiver has asked to be left alone.
 */
final class ChannelLimiter {
  private static final Logger LOG = LoggerFactory.getLogger(ChannelLimiter.class);
  private static final int AT_A_TIME = 32;
  private static final Duration BETWEEN_COMPLAINTS = Duration.ofMinutes(5);

  private final Channel channel;
  private final Semaphore places = new Semaphore(AT_A_TIME, true);
  private final AtomicLong closedUntil = new AtomicLong(System.nanoTime());
  private final AtomicLong nextComplaint = new AtomicLong(System.nanoTime());

  ChannelLimiter(Channel channel) {
    this.channel = channel;
  }

  String name() {
    return channel.name();
  }

  boolean wants(Notice notice) {
    return channel.wants(notice);
  }

  /** Empty if it was not tried, because there is a pause. */
  Optional<Outcome> deliver(Notice notice) throws InterruptedException {
    places.acquire();
    try {
      return pause().isPositive() ? Optional.empty() : Optional.of(attempt(notice));
    } finally {
      places.release();
    }
  }

  private Outcome attempt(Notice notice) throws InterruptedException {
    try {
      Outcome outcome = channel.deliver(notice);
      if (outcome instanceof Outcome.Later later) {
        later.retryAfter().ifPresent(this::closeFor);
        complain(later.why());
      }
      return outcome;
    } catch (RuntimeException broken) {
      LOG.error("{} has a bug", name(), withoutMessage(broken));
      return Outcome.Later.because("failed by " + broken.getClass().getName());
    }
  }

  /** The message may hold what is secret. */
  private static Throwable withoutMessage(RuntimeException broken) {
    Throwable shown = new IllegalStateException(broken.getClass().getName());
    shown.setStackTrace(broken.getStackTrace());
    return shown;
  }

  /** A dead receiver fails for every node, again and again: one line in a while says it all. */
  private void complain(String why) {
    long now = System.nanoTime();
    long next = nextComplaint.get();
    if (now - next >= 0 && nextComplaint.compareAndSet(next, now + BETWEEN_COMPLAINTS.toNanos())) {
      LOG.warn("{} takes no notices, they wait and are tried again: {}", name(), why);
    }
  }

  private void closeFor(Duration time) {
    long until = System.nanoTime() + time.toNanos();
    closedUntil.accumulateAndGet(until, (a, b) -> a - b > 0 ? a : b);
  }

  /** How long the receiver wants to be left alone from now on. */
  Duration pause() {
    long left = closedUntil.get() - System.nanoTime();
    return left > 0 ? Duration.ofNanos(left) : Duration.ZERO;
  }

  void close() {
    channel.close();
  }
}
