package dev.drydock.health.drainer.decide;

import dev.drydock.contracts.health.HealthStatus;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * What is known about the quarantine of a node.
 *
 * @param exists whether there is such a node
 * @param quarantined whether it is in quarantine now
 * @param episode of that quarantine; empty if another program made it
 * @param ended episodes that are known to be over
 * @param cutoff events without an episode that were created until then are over
 * @param certain whether the node was just read; a watch may not show yet what an event tells of
 */
public record QuarantineFacts(
    boolean exists,
    boolean quarantined,
    String episode,
    Set<String> ended,
    Optional<Instant> cutoff,
    boolean certain) {
  public QuarantineFacts {
    ended = Set.copyOf(ended);
  }

  /** Whether the quarantine that the event belongs to is over, because a later event says so. */
  boolean isOver(DrainDocument document) {
    return document.episode().isEmpty()
        ? cutoff.filter(time -> !document.created().isAfter(time)).isPresent()
        : ended.contains(document.episode());
  }

  /** Whether the event belongs to a quarantine that the node is not in. */
  boolean isStale(DrainDocument document) {
    if (!quarantined) {
      return !document.episode().isEmpty() || !HealthStatus.QUARANTINED.is(document.word());
    }
    return !episode.isEmpty()
        && !document.episode().isEmpty()
        && !episode.equals(document.episode());
  }
}
