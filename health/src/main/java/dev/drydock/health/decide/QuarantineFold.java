package dev.drydock.health.decide;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.health.decide.QuarantineDecision.Change;
import dev.drydock.health.decide.QuarantineDecision.Kind;
import dev.drydock.health.decide.QuarantineDecision.Repeat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides on several events of a node in order, for one write to the Node. The write ends with the
 * end of a quarantine, so that what it brought can be told apart after a crash.
 */
public final class QuarantineFold {
  private QuarantineFold() {}

  /** What has to be known before a failure is added. */
  @FunctionalInterface
  public interface Gate {
    /** Asked before a quarantine begins, and never for anything else. */
    Entry ask(Incoming incoming);

    /** Whether later events have cleared one that may have been decided on before. */
    default boolean isSuperseded(Incoming incoming) {
      return false;
    }
  }

  /** The answer of the gate. */
  public sealed interface Entry {
    record Open() implements Entry {}

    /** Not now; the event is looked at again when that is over. */
    record Blocked(String why) implements Entry {}

    record Later(Instant until) implements Entry {}
  }

  /** What came of an event. */
  public sealed interface Outcome {
    record Decided(QuarantineDecision decision) implements Outcome {}

    record Blocked(String why) implements Outcome {}

    /** Later events have cleared it. */
    record Superseded() implements Outcome {}
  }

  /**
   * What came of the first events.
   *
   * @param outcomes of those that were decided on, perhaps not of all
   * @param later when the next one can be decided on
   */
  public record Result(
      QuarantineState before,
      QuarantineState after,
      List<Outcome> outcomes,
      Optional<Instant> later) {
    public Result {
      outcomes = List.copyOf(outcomes);
    }

    /** Whether the Node has to be written. */
    public boolean changesNode() {
      return !after.quarantine().equals(before.quarantine());
    }
  }

  public static Result of(QuarantineState before, List<Incoming> events, Gate gate, Instant now) {
    QuarantineState state = before.settled();
    List<Outcome> outcomes = new ArrayList<>();
    for (Incoming incoming : events) {
      QuarantineDecision decision = decide(before, state, incoming, now);
      if (!(decision instanceof Change change)) {
        outcomes.add(new Outcome.Decided(decision));
        continue;
      }
      if (!outcomes.isEmpty() && untracked(change.after()) < untracked(state)) {
        // which events it clears is not known on the Node, so theirs are stored before
        return new Result(before, state, outcomes, Optional.empty());
      }
      if (!incoming.event().isHealthy() && incoming.again() && gate.isSuperseded(incoming)) {
        outcomes.add(new Outcome.Superseded());
        continue;
      }
      boolean asks = change.kind() == Kind.BEGIN && !incoming.isForced();
      switch (asks ? gate.ask(incoming) : new Entry.Open()) {
        case Entry.Open() -> {
          state = change.after();
          outcomes.add(new Outcome.Decided(change));
        }
        case Entry.Blocked(String why) -> outcomes.add(new Outcome.Blocked(why));
        case Entry.Later(Instant until) -> {
          return new Result(before, state, outcomes, Optional.of(until));
        }
      }
      if (change.kind() == Kind.END) {
        break;
      }
    }
    return new Result(before, state, outcomes, Optional.empty());
  }

  private static int untracked(QuarantineState state) {
    return state.quarantine().map(quarantine -> quarantine.untracked().size()).orElse(0);
  }

  private static QuarantineDecision decide(
      QuarantineState before, QuarantineState state, Incoming incoming, Instant now) {
    HealthEvent event = incoming.event();
    HealthStatus known = before.last().get(event.id());
    return known != null
        ? new Repeat(known, before.lastEpisode())
        : QuarantineDecider.decide(state, incoming, now);
  }
}
