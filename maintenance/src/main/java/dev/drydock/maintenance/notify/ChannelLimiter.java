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
 * The way to one channel that the queues of all nodes share: a few notices at a time, and none
 * while the receiver has asked to be left alone. Nobody waits in here.
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

  /** Who wants to deliver something. */
  interface Caller {
    /** There is room now for a delivery that was not tried for want of it. */
    void turn();

    /** The channel failed by a bug. The exception holds no words of the channel. */
    void bug(RuntimeException shown);
  }

  /** What a channel threw, without its message, which may hold what is secret. */
  static final class ChannelBug extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ChannelBug(String channel, Throwable thrown) {
      super("channel %s failed by %s".formatted(channel, thrown.getClass().getName()));
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
   * Empty if it was not tried, because there is a {@link #pause}, or too many deliveries are under
   * way; then the caller is told when it is its turn.
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
          return Outcome.Later.because("failed by " + broken.getClass().getName());
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

  /** A dead receiver fails for every node, again and again: one line in a while says it all. */
  private synchronized void complain(String why) {
    Instant now = clock.instant();
    if (!now.isBefore(nextComplaint)) {
      nextComplaint = now.plus(BETWEEN_COMPLAINTS);
      LOG.warn("{} takes no notices, they wait and are tried again: {}", name(), why);
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
