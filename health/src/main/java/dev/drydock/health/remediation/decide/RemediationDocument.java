package dev.drydock.health.remediation.decide;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.decide.Quarantine;
import java.time.Instant;
import java.util.Optional;

/**
 * A stored event whose node has been drained for it.
 *
 * @param created when it was stored
 * @param episode of the quarantine that it belongs to; empty if another program decided on it
 * @param remediated what is stored about it; absent if nothing
 */
public record RemediationDocument(
    HealthEvent event, Instant created, String episode, Optional<Boolean> remediated) {

  public String id() {
    return event.id();
  }

  /**
   * Whether the quarantine is about this failure, and not one before it, and no healthy event has
   * cleared it since.
   */
  boolean isOf(Quarantine quarantine) {
    boolean same =
        episode.isEmpty() ? quarantine.tracks(id()) : episode.equals(quarantine.episode());
    return same && quarantine.tracksPartOf(event);
  }
}
