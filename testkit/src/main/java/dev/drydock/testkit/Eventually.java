package dev.drydock.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/** Waits for something to become so, in the time of a cluster; fails if it does not. */
public interface Eventually {
  /** Something that may fail as long as it is not so. */
  @FunctionalInterface
  interface Assertion {
    void check() throws Exception;
  }

  Eventually atMost(Duration time);

  void untilAsserted(Assertion assertion);

  /** Holds now and for all of this time. */
  void holdsFor(Duration time, Assertion assertion);

  default void until(Callable<Boolean> condition) {
    untilAsserted(
        () -> {
          if (!condition.call()) {
            throw new AssertionError("is not so");
          }
        });
  }

  /** What is found, once it is as it should be. */
  default <T> T until(Callable<T> found, Predicate<? super T> condition) {
    Object[] last = new Object[1];
    untilAsserted(
        () -> {
          T now = found.call();
          last[0] = now;
          if (!condition.test(now)) {
            throw new AssertionError("not as it should be: " + now);
          }
        });
    @SuppressWarnings("unchecked")
    T result = (T) last[0];
    return result;
  }
}
