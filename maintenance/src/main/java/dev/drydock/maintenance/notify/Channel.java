package dev.drydock.maintenance.notify;

import java.time.Duration;
import java.util.Optional;

/**
 * Delivers notices to a receiver. Called concurrently, but one at a time for the notices of one
 * node.
 */
public interface Channel extends AutoCloseable {
  /**
   * The result of a delivery. Its text never contains a secret.
   *
   * <p>{@link Refused} is final; failures that may pass are {@link Later}.
   */
  sealed interface Outcome {
    /** The receiver has accepted the notice. */
    record Delivered() implements Outcome {}

    /** The receiver will never accept the notice. */
    record Refused(String why) implements Outcome {}

    /** To be retried, after the pause that the receiver requested, if any. */
    record Later(String why, Optional<Duration> retryAfter) implements Outcome {
      static Later because(String why) {
        return new Later(why, Optional.empty());
      }
    }
  }

  /** Unique; stored with the notices that wait for it, and the name in metrics. */
  String name();

  boolean wants(Notice notice);

  /** Waits for the receiver's answer, for a limited time. */
  Outcome deliver(Notice notice) throws InterruptedException;

  /** Calls in progress fail. */
  @Override
  void close();
}
