package dev.drydock.health.decide;

import dev.drydock.contracts.health.HealthEvent;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * An event that is to be decided on.
 *
 * @param event with its id
 * @param created when it was stored
 * @param matched the names of the rule sets that match it, in the order of the file
 * @param again whether it may have been decided on before: then it clears only failures that were
 *     stored before it
 * @param next ids of events that were stored after it at the same time, as a store tells times;
 *     only needed if it is healthy and comes again
 */
public record Incoming(
    HealthEvent event, Instant created, List<String> matched, boolean again, Set<String> next) {
  public Incoming {
    matched = List.copyOf(matched);
    next = Set.copyOf(next);
  }

  public Incoming(HealthEvent event, Instant created, List<String> matched, boolean again) {
    this(event, created, matched, again, Set.of());
  }

  /**
   * Whether a failure was certainly stored before it; one that another program tracks counts so.
   */
  boolean isAfter(TrackedFault fault) {
    return fault
        .created()
        .filter(
            time ->
                time.isAfter(created)
                    || (time.equals(created) && next.contains(fault.event().id())))
        .isEmpty();
  }

  TrackedFault fault() {
    return TrackedFault.of(event, created, matched);
  }

  boolean isForced() {
    return TrackedFault.isForced(event);
  }
}
