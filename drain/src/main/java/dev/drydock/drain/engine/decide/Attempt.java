package dev.drydock.drain.engine.decide;

import java.time.Instant;

/** The state of a request. */
public sealed interface Attempt {
  Action action();

  /** Sent or about to be sent; not answered. */
  record InFlight(Action action, Instant since) implements Attempt {}

  /** Granted; the watch may not show it yet. */
  record Granted(Action action, Instant at) implements Attempt {}

  record Refused(Action action, EvictionAnswer.Refusal answer, Instant at) implements Attempt {
    Instant retryAt() {
      return at.plus(answer.retryIn());
    }
  }

  static Attempt answered(Action action, EvictionAnswer answer, Instant at) {
    return switch (answer) {
      case EvictionAnswer.Accepted accepted -> new Granted(action, at);
      // A pod that is gone counts as success; the watch will show it.
      case EvictionAnswer.Gone gone -> new Granted(action, at);
      case EvictionAnswer.Refusal refusal -> new Refused(action, refusal, at);
    };
  }
}
