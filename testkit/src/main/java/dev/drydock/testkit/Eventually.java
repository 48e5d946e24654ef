package dev.drydock.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/** Waits, in the cluster's time, until an assertion holds; fails if it does not. */
public interface Eventually {
  /** An assertion that may fail until it holds. */
  @FunctionalInterface
  interface Assertion {
    void check() throws Exception;
  }

  /** Waits in real time, for what is not in a test's cluster. */
  static Eventually inRealTime() {
    return new RealEventually();
  }

  /**
   * The same.
   *
   * @param every how often the assertion is checked, if that takes long
   */
  static Eventually inRealTime(Duration every) {
    return new RealEventually(every);
  }

  Eventually atMost(Duration time);

  void untilAsserted(Assertion assertion);

  /** Asserts that it holds now and during all of this time. */
  void holdsFor(Duration time, Assertion assertion);

  default void until(Callable<Boolean> condition) {
    untilAsserted(
        () -> {
          if (!condition.call()) {
            throw new AssertionError("does not hold");
          }
        });
  }

  /** Waits until a value has the expected property, and returns it. */
  default <T> T until(Callable<T> found, Predicate<? super T> condition) {
    Object[] last = new Object[1];
    untilAsserted(
        () -> {
          T now = found.call();
          last[0] = now;
          if (!condition.test(now)) {
            throw new AssertionError("not as expected: " + now);
          }
        });
    @SuppressWarnings("unchecked")
    T result = (T) last[0];
    return result;
  }
}
