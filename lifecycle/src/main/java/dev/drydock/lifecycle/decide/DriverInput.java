package dev.drydock.lifecycle.decide;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * All that is known when the drain driver of a node decides.
 *
 * @param calls that wait for an answer, the oldest first
 * @param events of the node
 * @param synced whether {@code events} are all there are
 * @param schedulable whether the node is seen to be in service
 * @param resumed whether a drain of an earlier process was looked for
 */
public record DriverInput(
    Policy policy,
    List<PendingCall> calls,
    Optional<DriverDrain> drain,
    List<SeenEvent> events,
    boolean synced,
    boolean schedulable,
    boolean resumed,
    Instant now) {

  /**
   * How a driver is set up.
   *
   * @param uncordonWhenCancelled what becomes of the node when a drain's event is deleted
   */
  public record Policy(String node, SlaPolicy atSla, boolean uncordonWhenCancelled) {}

  /**
   * A LifecycleEvent.
   *
   * @param behalf who else holds the node for what the event is about
   * @param held whether the driver has placed its hold for it, perhaps before a restart
   */
  public record SeenEvent(LifecycleEventFacts facts, Optional<String> behalf, boolean held) {}

  public DriverInput {
    calls = List.copyOf(calls);
    events = List.copyOf(events);
  }

  /** The event that a claimer means by a name. */
  Optional<SeenEvent> event(String name) {
    return meant(events, name, SeenEvent::facts);
  }

  /** The event that a claimer means by a name. */
  public static <T> Optional<T> meant(
      Collection<T> events, String name, Function<T, LifecycleEventFacts> facts) {
    return events.stream()
        .filter(each -> facts.apply(each).ref().name().equals(name))
        .filter(each -> !facts.apply(each).claim().isTerminal())
        // drivers hear no groups: of two events of one name, the claimed one is meant
        .max(Comparator.comparing(each -> facts.apply(each).claim() == ClaimStatus.Claimed));
  }

  Optional<LifecycleEventFacts> eventOf(String uid) {
    return events.stream()
        .map(SeenEvent::facts)
        .filter(event -> event.uid().equals(uid))
        .findFirst();
  }

  boolean isAwaited() {
    return calls.stream().anyMatch(PendingCall::joined);
  }
}
