package dev.drydock.lifecycle.decide;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The inputs of a claimer's decision.
 *
 * @param labels of the node; absent if the node does not exist
 * @param drivers by name, with the time since when they are gone, if they are
 * @param lookingSince since when this claimer looks for drivers
 * @param kubeletClaims whether the node's kubelet claims events itself
 * @param callState of the last driver call, if there was one
 * @param stalled since when the current event cannot continue
 */
public record ClaimInput(
    String node,
    Optional<Map<String, String>> labels,
    List<LifecycleEventFacts> events,
    Map<LifecycleRef, TransitionFacts> transitions,
    Map<String, Optional<Instant>> drivers,
    Instant lookingSince,
    boolean kubeletClaims,
    Optional<DriverCallState> callState,
    Optional<Instant> stalled,
    Instant now) {

  public ClaimInput {
    events = events.stream().sorted(LifecycleEventFacts.BY_AGE).toList();
    transitions = Map.copyOf(transitions);
    drivers = Map.copyOf(drivers);
  }

  boolean isConnected(String driver) {
    Optional<Instant> gone = drivers.get(driver);
    return gone != null && gone.isEmpty();
  }

  /** Since when a driver that is not connected is missing. */
  Instant missedSince(String driver) {
    Optional<Instant> gone = drivers.get(driver);
    return gone == null ? lookingSince : gone.orElse(now);
  }
}
