package dev.drydock.health.remediation.decide;

import dev.drydock.health.decide.Quarantine;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All that a decision about a node depends on.
 *
 * @param quarantine that the node is in
 * @param label its state label; empty if it has none
 * @param documents those of the quarantine whose drain is done, oldest first
 * @param progress of all attempts that are open
 * @param cancelled episodes that a person has ended
 * @param stopped why the andon cord keeps new work from beginning, if it does
 */
public record RemediationFacts(
    String node,
    Optional<Quarantine> quarantine,
    String label,
    RemediationJournal journal,
    List<RemediationDocument> documents,
    Map<MaintenanceReference, ResourceProgress> progress,
    Set<String> cancelled,
    Optional<String> stopped,
    Instant now) {

  public RemediationFacts {
    documents = List.copyOf(documents);
    progress = Map.copyOf(progress);
    cancelled = Set.copyOf(cancelled);
  }

  ResourceProgress progress(RemediationAttempt attempt) {
    return progress.getOrDefault(attempt.resource(), new ResourceProgress.Unknown("not read yet"));
  }

  /** Whether an attempt is for the quarantine that the node is in. */
  boolean isPresent(RemediationAttempt attempt) {
    return quarantine.filter(one -> one.episode().equals(attempt.episode())).isPresent();
  }
}
