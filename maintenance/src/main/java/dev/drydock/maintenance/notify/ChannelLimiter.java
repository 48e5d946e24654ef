package dev.drydock.maintenance.notify;

import dev.drydock.kube.Bugs;
import dev.drydock.maintenance.notify.Channel.Outcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the deliveries to one channel, for the queues of all nodes: a few notices at a time, and
 * none during a pause requested by the receiver. Does not block.
 */
final class ChannelLimiter {
  private static final Logger LOG = LoggerFactory.getLogger(ChannelLimiter.class);
  private static final int AT_A_TIME = 32;
  private static final Duration BETWEEN_COMPLAINTS = Duration.ofMinutes(5);

  private final Channel channel;
  private final Clock clock;
  private final Set<Caller> waiting = new LinkedHashSet<>();
  private int underWay;
  private Instant closedUntil = Instant.MIN;
  private Instant nextComplaint = Instant.MIN;

  /** A worker that delivers notices. */
  interface Caller {
    /** A delivery that had to wait for its turn may be tried now. */
    void turn();

    /** The channel threw an unexpected exception. The given one has no text from the channel. */
    void bug(RuntimeException shown);
  }

  /** An exception of a channel without its message, which may contain secrets. */
  static final class ChannelBug extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ChannelBug(String channel, Throwable thrown) {
      super("channel %s failed with %s".formatted(channel, thrown.getClass().getName()));
      setStackTrace(thrown.getStackTrace());
    }
  }

  ChannelLimiter(Channel channel, Clock clock) {
    this.channel = channel;
    this.clock = clock;
  }

  String name() {
    return channel.name();
  }

  boolean wants(Notice notice) {
    return channel.wants(notice);
  }

  /**
   * Empty if it was not tried, because there is a {@link #pause}, or too many deliveries are in
   * progress; then {@link Caller#turn} is called later.
   */
  Optional<Outcome> deliver(Notice notice, Caller caller) throws InterruptedException {
    if (!enter(caller)) {
      return Optional.empty();
    }
    try {
      return pause().isPositive() ? Optional.empty() : Optional.of(attempt(notice, caller));
    } finally {
      Caller next = leave();
      if (next != null) {
        next.turn();
      }
    }
  }

  private synchronized boolean enter(Caller caller) {
    if (underWay >= AT_A_TIME) {
      waiting.add(caller);
      return false;
    }
    waiting.remove(caller);
    underWay++;
    return true;
  }

  private synchronized @Nullable Caller leave() {
    underWay--;
    Caller next = waiting.isEmpty() ? null : waiting.iterator().next();
    waiting.remove(next);
    return next;
  }

  private Outcome attempt(Notice notice, Caller caller) throws InterruptedException {
    return Bugs.call(
        () -> deliver(notice),
        broken -> {
          caller.bug(new ChannelBug(name(), broken));
          return Outcome.Later.because("failed with " + broken.getClass().getName());
        });
  }

  private Outcome deliver(Notice notice) throws InterruptedException {
    Outcome outcome = channel.deliver(notice);
    if (outcome instanceof Outcome.Later later) {
      later.retryAfter().ifPresent(this::closeFor);
      complain(later.why());
    }
    return outcome;
  }

  /** Logs at most one line per period, because a failing receiver fails for every node. */
  private synchronized void complain(String why) {
    Instant now = clock.instant();
    if (!now.isBefore(nextComplaint)) {
      nextComplaint = now.plus(BETWEEN_COMPLAINTS);
      LOG.warn("{} does not accept notices; retrying: {}", name(), why);
    }
  }

  private synchronized void closeFor(Duration time) {
    Instant until = clock.instant().plus(time);
    closedUntil = until.isAfter(closedUntil) ? until : closedUntil;
  }

  /** How long the receiver wants to be left alone from now on. */
  synchronized Duration pause() {
    Instant now = clock.instant();
    return now.isBefore(closedUntil) ? Duration.between(now, closedUntil) : Duration.ZERO;
  }

  void close() {
    channel.close();
  }
}
