package dev.drydock.edge.decide;

import java.time.Instant;

/**
 * A request to drain the node before an operation.
 *
 * @param context the operation, or the id of the OS image
 */
public record NodeDrainRequest(Instant requestedAt, DrainRequester requestedBy, String context) {
  /** What Go writes for a time that nobody set. */
  private static final Instant NEVER = Instant.parse("0001-01-01T00:00:00Z");

  public boolean hasTime() {
    return requestedAt.isAfter(NEVER);
  }
}
