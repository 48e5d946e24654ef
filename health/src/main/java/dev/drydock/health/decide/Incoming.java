package dev.drydock.health.decide;

import dev.drydock.contracts.health.HealthEvent;
import java.time.Instant;
import java.util.List;

/**
 * An event that is to be decided on.
 *
 * @param event with its id
 * @param created when it was stored
 * @param matched the names of the rule sets that match it, in the order of the file
 * @param again whether it may have been decided on before: then it clears only failures that were
 *     stored before it
 */
public record Incoming(HealthEvent event, Instant created, List<String> matched, boolean again) {
  public Incoming {
    matched = List.copyOf(matched);
  }

  TrackedFault fault() {
    return TrackedFault.of(event, created, matched);
  }

  boolean isForced() {
    return TrackedFault.isForced(event);
  }
}
