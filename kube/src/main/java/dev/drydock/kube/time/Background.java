package dev.drydock.kube.time;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Work that runs while its caller does something else and then waits for the result. It has its own
 * thread, even where the caller's time is virtual. For commands; a control loop must not wait.
 */
public final class Background<T> {
  private final CompletableFuture<T> result;

  private Background(CompletableFuture<T> result) {
    this.result = result;
  }

  public static <T> Background<T> start(Supplier<T> work) {
    return new Background<>(CompletableFuture.supplyAsync(work, TimeSource.REAL::execute));
  }

  /** A result that is known already. */
  public static <T> Background<T> done(T result) {
    return new Background<>(CompletableFuture.completedFuture(result));
  }

  /** Waits for the result, or throws what the work threw. */
  public T join() {
    try {
      return result.join();
    } catch (CompletionException failed) {
      switch (failed.getCause()) {
        case RuntimeException exception -> throw exception;
        case Error error -> throw error;
        case null, default -> throw failed;
      }
    }
  }
}
