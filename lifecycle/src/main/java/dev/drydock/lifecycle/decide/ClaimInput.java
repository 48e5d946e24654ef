package dev.drydock.lifecycle.decide;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The inputs of a claimer's decision.
 *
 * @param labels of the node; absent if the node does not exist
 * @param drivers that were found since this claimer looks, by name
 * @param lookingSince since when this claimer looks for drivers
 * @param kubeletClaims whether the node's kubelet claims events itself
 * @param callState of the last driver call, if there was one
 * @param stalled since when the current event cannot continue
 * @param unchanged since when events have been as they are, by UID
 * @param warned UIDs of events about which people were warned
 * @param decided UIDs of events whose end this claimer has decided
 */
public record ClaimInput(
    String node,
    Optional<Map<String, String>> labels,
    List<LifecycleEventFacts> events,
    Map<LifecycleRef, TransitionFacts> transitions,
    Map<String, DriverPresence> drivers,
    Instant lookingSince,
    boolean kubeletClaims,
    Optional<DriverCallState> callState,
    Optional<Instant> stalled,
    Map<String, Instant> unchanged,
    Set<String> warned,
    Set<String> decided,
    Instant now) {

  public ClaimInput {
    events = events.stream().sorted(LifecycleEventFacts.BY_AGE).toList();
    transitions = Map.copyOf(transitions);
    drivers = Map.copyOf(drivers);
    unchanged = Map.copyOf(unchanged);
    warned = Set.copyOf(warned);
    decided = Set.copyOf(decided);
  }

  boolean isConnected(String driver) {
    DriverPresence presence = drivers.get(driver);
    return presence != null && presence.isConnected();
  }

  /** Since when a driver is registered without answering, if so. */
  Optional<Instant> silentSince(String driver) {
    return Optional.ofNullable(drivers.get(driver))
        .filter(DriverPresence::isSilent)
        .flatMap(DriverPresence::goneSince);
  }

  /** Since when a driver that is not connected is missing. */
  Instant missedSince(String driver) {
    DriverPresence presence = drivers.get(driver);
    return presence == null ? lookingSince : presence.goneSince().orElse(now);
  }
}
