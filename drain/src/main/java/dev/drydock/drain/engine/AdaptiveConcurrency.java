package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.EvictionAnswer;
import dev.drydock.kube.time.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many changes may be under way at the API server at a time, over all nodes; what is too many
 * waits in a queue. The limit grows with every answer and halves when the server itself is busy or
 * in trouble; when it names a time to wait, nothing is sent until then. A refusal that is about one
 * object slows nobody down.
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
      answer = request.send().get();
    } catch (RuntimeException bug) {
      LOG.error("a request could not be made", bug);
      answer = new EvictionAnswer.Failed("internal error: " + bug);
    } finally {
      leave(answer);
    }
    request.answered().accept(answer);
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
