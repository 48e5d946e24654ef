package dev.drydock.maintenance.notify;

import dev.drydock.maintenance.notify.Channel.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries the notices of one node to one channel, in order, until none is left. */
final class ChannelWorker implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ChannelWorker.class);

  private final NodeQueue queue;
  private final ChannelLimiter limiter;
  private final OutboxContext context;
  private int failures;

  ChannelWorker(NodeQueue queue, ChannelLimiter limiter, OutboxContext context) {
    this.queue = queue;
    this.limiter = limiter;
    this.context = context;
  }

  @Override
  public void run() {
    try {
      Optional<QueuedNotice> next = queue.nextOrEnd(limiter.name());
      while (next.isPresent()) {
        if (!carry(next.get())) {
          Duration backoff = context.settings().backoff().after(Math.max(1, failures));
          queue.rest(limiter.pause().plus(backoff));
        }
        next = queue.nextOrEnd(limiter.name());
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** False if it has to be tried again. */
  private boolean carry(QueuedNotice queued) throws InterruptedException {
    try {
      Optional<Outcome> outcome = limiter.deliver(queued.notice());
      return outcome.isPresent() && settle(queued, outcome.get());
    } catch (RuntimeException bug) {
      failures++;
      LOG.error("{} for node {} failed, trying again", limiter.name(), queue.node(), bug);
      return false;
    }
  }

  private boolean settle(QueuedNotice queued, Outcome outcome) {
    switch (outcome) {
      case Outcome.Delivered _ -> {
        queue.mark(queued, limiter.name());
        context.counter().delivered(limiter.name());
      }
      case Outcome.Refused(String why) -> {
        queue.mark(queued, limiter.name());
        context.giveUp(queued.pendingFor(Set.of(limiter.name())), why);
      }
      case Outcome.Later _ -> {
        failures++;
        context.counter().failed(limiter.name());
        return false;
      }
    }
    failures = 0;
    return true;
  }
}
