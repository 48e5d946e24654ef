package dev.drydock.edge.decide;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What a drain at the edge does next. */
public sealed interface EdgeStep {
  /**
   * Store and publish the next state, then decide again.
   *
   * @param lines for the log, with the words that operators search for
   * @param takesForce whether the force file is used up
   * @param takesCancel whether the cancellation is done
   */
  record Become(EdgeDrain next, List<String> lines, boolean takesForce, boolean takesCancel)
      implements EdgeStep {
    public Become {
      lines = List.copyOf(lines);
    }

    static Become of(EdgeDrain next, String... lines) {
      return new Become(next, List.of(lines), false, false);
    }

    Become takingForce() {
      return new Become(next, lines, true, takesCancel);
    }

    Become takingCancel() {
      return new Become(next, lines, takesForce, true);
    }
  }

  /** Ask the API server. */
  record Ask(ApiAction action) implements EdgeStep {}

  /**
   * Begin or continue an attempt.
   *
   * @param deadline counted from the hold
   */
  record StartAttempt(int number, Duration deadline) implements EdgeStep {}

  /** End the attempt where it is. */
  record CancelAttempt() implements EdgeStep {}

  /** Nothing until then, unless something changes. */
  record Wait(Instant until) implements EdgeStep {
    static final Wait FOR_CHANGE = new Wait(Instant.MAX);
  }
}
