package dev.drydock.maintenance.notify;

import java.time.Duration;
import java.util.Optional;

/**
 * A way by which notices reach people and programs. Used by many threads at once, but by one at a
 * time for the notices of one node.
 */
public interface Channel extends AutoCloseable {
  /**
   * Says what became of a notice. The words never hold a secret.
   *
   * <p>Only a refusal of this very notice is {@link Refused}; whatever may be better later is not.
   */
  sealed interface Outcome {
    /** The receiver has it. */
    record Delivered() implements Outcome {}

    /** The receiver will never take it. */
    record Refused(String why) implements Outcome {}

    /** Not yet; perhaps the receiver said how long it wants to be left alone. */
    record Later(String why, Optional<Duration> retryAfter) implements Outcome {
      static Later because(String why) {
        return new Later(why, Optional.empty());
      }
    }
  }

  /** Unique; stored with the notices that wait for it, and the name in metrics. */
  String name();

  boolean wants(Notice notice);

  /** Waits for the receiver's answer, but not for ever. */
  Outcome deliver(Notice notice) throws InterruptedException;

  /** Calls that are under way fail. */
  @Override
  void close();
}
