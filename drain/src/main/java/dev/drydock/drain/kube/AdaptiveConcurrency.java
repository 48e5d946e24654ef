package dev.drydock.drain.kube;

import dev.drydock.kube.KubeAnswer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many changes may be under way at the API server at a time, over all nodes. It grows with
 * every good answer and halves when the server is busy or in trouble; when the server names a time
 * to wait, nothing is sent until then.
 */
final class AdaptiveConcurrency {
  private static final int FIRST = 16;

  private final int ceiling;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private int limit;
  private int underWay;
  private Instant pausedUntil = Instant.MIN;

  AdaptiveConcurrency(int ceiling, Clock clock) {
    this.ceiling = ceiling;
    this.clock = clock;
    this.limit = Math.min(FIRST, ceiling);
  }

  void enter() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        Instant now = clock.instant();
        if (now.isBefore(pausedUntil)) {
          long pause = Duration.between(now, pausedUntil).toMillis() + 1;
          changed.await(pause, TimeUnit.MILLISECONDS);
        } else if (underWay >= limit) {
          changed.await();
        } else {
          underWay++;
          return;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  void leave(KubeAnswer answer) {
    lock.lock();
    try {
      underWay--;
      boolean throttled = answer.code() == 429 && answer.retryAfterHeader().isPresent();
      if (throttled || answer.code() >= 502 || answer.unanswered()) {
        limit = Math.max(1, limit / 2);
      } else {
        limit = Math.min(ceiling, limit + 1);
      }
      if (throttled) {
        pausedUntil =
            max(pausedUntil, clock.instant().plus(answer.retryAfterHeader().orElseThrow()));
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  int limit() {
    lock.lock();
    try {
      return limit;
    } finally {
      lock.unlock();
    }
  }

  private static Instant max(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }
}
