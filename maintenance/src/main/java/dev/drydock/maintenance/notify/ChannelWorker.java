package dev.drydock.maintenance.notify;

import dev.drydock.kube.ControlLoops;
import dev.drydock.maintenance.notify.Channel.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Carries the notices of one node to one channel, in order and one in each step, until none is
 * left.
 */
final class ChannelWorker implements ControlLoops.Reconciler, ChannelLimiter.Caller {
  private final String node;
  private final ChannelLimiter limiter;
  private final Outbox outbox;
  private final OutboxContext context;
  private Instant notBefore = Instant.MIN;
  private int failures;
  private @Nullable RuntimeException bug;

  /** What one worker is for. */
  record Key(String node, String channel) {
    @Override
    public String toString() {
      return channel + " for " + node;
    }
  }

  ChannelWorker(String node, ChannelLimiter limiter, Outbox outbox, OutboxContext context) {
    this.node = node;
    this.limiter = limiter;
    this.outbox = outbox;
    this.context = context;
  }

  @Override
  public Optional<Instant> step() {
    if (context.now().isBefore(notBefore)) {
      return Optional.of(notBefore);
    }
    // Looked up each time: a queue that was idle for a moment has been replaced.
    Optional<NodeQueue> queue = outbox.queue(node);
    Optional<QueuedNotice> next = queue.flatMap(known -> known.nextOrEnd(limiter.name()));
    try {
      return next.map(queued -> carry(queue.orElseThrow(), queued));
    } finally {
      outbox.wakeRecorder(node);
    }
  }

  /** When to continue. */
  private Instant carry(NodeQueue queue, QueuedNotice queued) {
    boolean goesOn = false;
    try {
      bug = null;
      Optional<Outcome> outcome = limiter.deliver(queued.notice(), this);
      goesOn = outcome.isPresent() && settle(queue, queued, outcome.get());
      if (bug != null) {
        throw bug;
      }
      boolean waitsForTurn = outcome.isEmpty() && limiter.pause().isZero();
      return goesOn ? context.now() : waitsForTurn ? latestTurn() : rest();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return rest();
    } finally {
      if (!goesOn) {
        queue.rests(limiter.name());
      }
    }
  }

  /**
   * The limiter calls when it is our turn; this time is for the case that the caller before us is
   * gone.
   */
  private Instant latestTurn() {
    return context.now().plus(context.settings().backoff().most());
  }

  private Instant rest() {
    Duration backoff = context.settings().backoff().after(Math.max(1, failures));
    notBefore = context.now().plus(limiter.pause()).plus(backoff);
    return notBefore;
  }

  /** False if it has to be tried again. */
  private boolean settle(NodeQueue queue, QueuedNotice queued, Outcome outcome) {
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

  @Override
  public void turn() {
    outbox.wakeWorker(new Key(node, limiter.name()));
  }

  @Override
  public void bug(RuntimeException shown) {
    bug = shown;
  }
}
