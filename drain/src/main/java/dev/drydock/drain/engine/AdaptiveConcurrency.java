package dev.drydock.drain.engine;

import dev.drydock.kube.Bugs;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the concurrent write requests of all drains; further ones are queued. The limit grows with
 * every success and halves when the server is overloaded or fails; if the server asks to wait,
 * nothing is sent until then.
 */
final class AdaptiveConcurrency implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AdaptiveConcurrency.class);
  private static final int FIRST = 16;

  private final int ceiling;
  private final TimeSource time;
  private final Queue<Request> queue = new ArrayDeque<>();
  private int limit;
  private int underWay;
  private Instant pausedUntil = Instant.MIN;
  private TimeSource.Timer resume = TimeSource.Timer.NONE;
  private boolean closed;

  private record Request(Supplier<KubeAnswer> send, Consumer<KubeAnswer> answered) {}

  AdaptiveConcurrency(int ceiling, TimeSource time) {
    this.ceiling = ceiling;
    this.time = time;
    this.limit = Math.min(FIRST, ceiling);
  }

  /** Sends it as soon as there is a place for it; returns at once. */
  synchronized void submit(Supplier<KubeAnswer> send, Consumer<KubeAnswer> answered) {
    queue.add(new Request(send, answered));
    startNext();
  }

  private synchronized void startNext() {
    Duration pause =
        pausedUntil.equals(Instant.MIN) ? Duration.ZERO : Duration.between(time.now(), pausedUntil);
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
    KubeAnswer answer = KubeAnswer.none("the request was not made");
    try {
      answer = Bugs.call(request.send()::get, AdaptiveConcurrency::broke);
    } finally {
      leave(answer);
    }
    request.answered().accept(answer);
  }

  private static KubeAnswer broke(Throwable bug) {
    LOG.error("a request could not be made", bug);
    return KubeAnswer.none("internal error: " + bug);
  }

  private synchronized void leave(KubeAnswer answer) {
    underWay--;
    boolean throttled = answer.code() == 429 && answer.retryAfterHeader().isPresent();
    if (throttled || answer.code() >= 502 || answer.unanswered()) {
      limit = Math.max(1, limit / 2);
    } else {
      limit = Math.min(ceiling, limit + 1);
    }
    if (throttled) {
      pausedUntil = max(pausedUntil, time.now().plus(answer.retryAfterHeader().orElseThrow()));
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

  private static Instant max(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }
}
