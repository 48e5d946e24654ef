package dev.drydock.bench;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A benchmark could not be completed, so there is no result; the message says why in one line. */
final class BenchFailure extends RuntimeException {
  BenchFailure(String message) {
    super(message);
  }

  BenchFailure(String message, Throwable cause) {
    super(message, cause);
  }

  static BenchFailure interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new BenchFailure("interrupted", e);
  }

  /** The result of a task; fails if there is none within the limit. */
  static <T> T get(Future<T> task, Duration limit, String failure) {
    try {
      return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (ExecutionException | TimeoutException e) {
      throw new BenchFailure(failure + (e.getCause() == null ? "" : ": " + e.getCause()), e);
    }
  }
}
