package dev.drydock.health.decide;

import dev.drydock.contracts.health.HealthEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A node's quarantine: the failures that keep it out of service.
 *
 * @param episode the id of the event that began it, which is on every document and resource of it;
 *     work that belongs to another episode is stale
 * @param faults never empty
 */
public record Quarantine(String episode, Instant since, List<TrackedFault> faults) {
  public Quarantine {
    faults = List.copyOf(faults);
    if (faults.isEmpty()) {
      throw new IllegalArgumentException("a quarantine without a failure");
    }
  }

  static Quarantine begun(TrackedFault fault, Instant now) {
    return new Quarantine(fault.event().id(), now, FaultBounds.with(List.of(), fault));
  }

  Quarantine with(TrackedFault fault) {
    if (faults.stream().anyMatch(tracked -> tracked.covers(fault))) {
      return this;
    }
    return new Quarantine(episode, since, FaultBounds.with(faults, fault));
  }

  /** What is left of the failures; the same list if the event clears none. */
  List<TrackedFault> without(Incoming healthy) {
    List<TrackedFault> left = new ArrayList<>();
    for (TrackedFault fault : faults) {
      left.addAll(
          healthy.again() && !healthy.isAfter(fault)
              ? List.of(fault)
              : fault.without(healthy.event()));
    }
    return left.equals(faults) ? faults : left;
  }

  public boolean tracks(String eventId) {
    return faults.stream().anyMatch(fault -> fault.event().id().equals(eventId));
  }

  /** Whether some failure that the event tells of is not cleared yet. */
  public boolean tracksPartOf(HealthEvent event) {
    return faults.stream().anyMatch(fault -> fault.mayTellOf(event));
  }

  /** Those that stand for more than themselves, because there are too many. */
  public List<TrackedFault> untracked() {
    return faults.stream().filter(fault -> fault.scope() != TrackedFault.Scope.ITSELF).toList();
  }
}
