package dev.drydock.lifecycle.decide;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which transitions for one node alone are deleted because their driver does not come back. There
 * are two occasions, each of which passes once: the start of the claimer, and the deregistration of
 * a driver. Drivers publish their transitions before they register, so one that never registered
 * says nothing about a transition that appears later.
 *
 * @param drivers that were found since the start, by name
 * @param started when the claimer started
 * @param atStart UIDs of the transitions that existed then; absent when that occasion has passed
 * @param passed deregistrations whose occasion has passed, by driver
 */
public record OrphanedTransitions(
    String node,
    Map<LifecycleRef, TransitionFacts> transitions,
    List<LifecycleEventFacts> events,
    Map<String, DriverPresence> drivers,
    Instant started,
    Optional<Set<String>> atStart,
    Map<String, Instant> passed,
    Instant now) {

  /** A driver may come back within this time. */
  static final Duration GRACE = Duration.ofSeconds(30);

  public OrphanedTransitions {
    transitions = Map.copyOf(transitions);
    events = List.copyOf(events);
    drivers = Map.copyOf(drivers);
    atStart = atStart.map(Set::copyOf);
    passed = Map.copyOf(passed);
  }

  /** Those to delete now. */
  public List<TransitionFacts> due() {
    Set<String> left = deregistered();
    Set<LifecycleRef> awaited =
        events.stream()
            .filter(
                event ->
                    event.claim() == ClaimStatus.Pending || event.claim() == ClaimStatus.Claimed)
            .map(LifecycleEventFacts::transitionRef)
            .collect(Collectors.toSet());
    return transitions.values().stream()
        .filter(transition -> transition.coverage().equals(new NodeCoverage.OneNode(node)))
        .filter(transition -> !transition.deleting())
        .filter(
            transition ->
                left.contains(transition.driver())
                    || (isLeftFromBefore(transition) && !awaited.contains(transition.ref())))
        .toList();
  }

  /** Whether the start is long enough ago; its occasion then passes. */
  public boolean isStartOver() {
    return atStart.isPresent() && isOver(started);
  }

  /** Drivers whose deregistration is long enough ago; its occasion then passes. */
  public Set<String> deregistered() {
    return drivers.keySet().stream()
        .filter(driver -> open(driver).filter(this::isOver).isPresent())
        .collect(Collectors.toSet());
  }

  /** When to decide again. */
  public Optional<Instant> next() {
    return Stream.concat(
            atStart.stream().map(_ -> started),
            drivers.keySet().stream().flatMap(driver -> open(driver).stream()))
        .map(since -> since.plus(GRACE))
        .filter(now::isBefore)
        .min(Instant::compareTo);
  }

  private boolean isLeftFromBefore(TransitionFacts transition) {
    return isStartOver()
        && atStart.orElse(Set.of()).contains(transition.uid())
        && !isHere(transition.driver());
  }

  /** Registered, or gone since the start, which is an occasion of its own. */
  private boolean isHere(String driver) {
    DriverPresence presence = drivers.get(driver);
    return presence != null && (presence.deregistered().isEmpty() || open(driver).isPresent());
  }

  /** A deregistration whose occasion has not passed. */
  private Optional<Instant> open(String driver) {
    DriverPresence presence = drivers.get(driver);
    return presence == null
        ? Optional.empty()
        : presence.deregistered().filter(since -> !since.equals(passed.get(driver)));
  }

  private boolean isOver(Instant since) {
    return !now.isBefore(since.plus(GRACE));
  }
}
