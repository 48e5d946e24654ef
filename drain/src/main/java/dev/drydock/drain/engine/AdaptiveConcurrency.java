package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.EvictionAnswer;
import dev.drydock.kube.Bugs;
import dev.drydock.kube.time.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the concurrent write requests of all drains; further ones are queued. The limit grows with
 * every answer and halves when the server itself is overloaded or fails; if it asks to wait,
 * nothing is sent until then. A refusal that is about one object slows nothing else down.
 */
final class AdaptiveConcurrency implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AdaptiveConcurrency.class);
  private static final int FIRST = 16;

  private final int ceiling;
  private final TimeSource time;
  private final Queue<Request> queue = new ArrayDeque<>();
  private int limit;
  private int underWay;

  /** In the time source's elapsed time. */
  private Duration pausedUntil = Duration.ZERO;

  private TimeSource.Timer resume = TimeSource.Timer.NONE;
  private boolean closed;

  private record Request(Supplier<EvictionAnswer> send, Consumer<EvictionAnswer> answered) {}

  AdaptiveConcurrency(int ceiling, TimeSource time) {
    this.ceiling = ceiling;
    this.time = time;
    this.limit = Math.min(FIRST, ceiling);
  }

  /** Sends it as soon as there is a place for it; returns at once. */
  synchronized void submit(Supplier<EvictionAnswer> send, Consumer<EvictionAnswer> answered) {
    queue.add(new Request(send, answered));
    startNext();
  }

  private synchronized void startNext() {
    Duration pause = pausedUntil.minus(time.elapsed());
    if (pause.isPositive()) {
      resume.cancel();
      resume = time.schedule(pause, this::startNext);
      return;
    }
    while (!closed && underWay < limit && !queue.isEmpty()) {
      underWay++;
      Request next = queue.remove();
      time.execute(() -> carryOut(next));
    }
  }

  private void carryOut(Request request) {
    EvictionAnswer answer = new EvictionAnswer.ServerInTrouble("the request was not made");
    try {
      answer = Bugs.call(request.send()::get, AdaptiveConcurrency::broke);
    } finally {
      leave(answer);
    }
    request.answered().accept(answer);
  }

  private static EvictionAnswer broke(Throwable bug) {
    LOG.error("a request could not be made", bug);
    return new EvictionAnswer.Failed("internal error: " + bug);
  }

  private synchronized void leave(EvictionAnswer answer) {
    underWay--;
    switch (answer) {
      case EvictionAnswer.Throttled throttled -> {
        limit = Math.max(1, limit / 2);
        Duration until = time.elapsed().plus(throttled.retryIn());
        pausedUntil = until.compareTo(pausedUntil) > 0 ? until : pausedUntil;
      }
      case EvictionAnswer.ServerInTrouble _ -> limit = Math.max(1, limit / 2);
      default -> limit = Math.min(ceiling, limit + 1);
    }
    startNext();
  }

  synchronized int limit() {
    return limit;
  }

  /** Nothing that waits is sent any more. */
  @Override
  public synchronized void close() {
    closed = true;
    queue.clear();
    resume.cancel();
  }
}
