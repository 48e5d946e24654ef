package dev.drydock.health.remediation;

import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.health.decide.Quarantine;
import dev.drydock.health.decide.TrackedFault;
import dev.drydock.health.event.SpanId;
import dev.drydock.health.remediation.decide.RemediationDocument;
import dev.drydock.health.remediation.decide.RemediationStep.Refusal;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.EventUpdate;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.health.store.StoredEvent;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The documents of a quarantine whose drain is done.
 *
 * @param cutoff what was stored before is left out, because a person has asked for that
 */
record DrainedDocuments(EventStore store, Instant cutoff) {
  private static final int PAGE = 1000;

  /**
   * How many pages of a flood are read, newest first; what the Node tells of is read in any case.
   */
  private static final int MOST_PAGES = 10;

  /** Oldest first. */
  List<RemediationDocument> of(String node, Quarantine quarantine) {
    Map<String, StoredEvent> found = new LinkedHashMap<>();
    newest(node, quarantine.episode(), found);
    quarantine.faults().stream()
        .map(TrackedFault::event)
        .filter(event -> !found.containsKey(event.id()))
        .forEach(event -> store.get(event.id()).ifPresent(each -> found.put(each.id(), each)));
    return found.values().stream()
        .filter(DrainedDocuments::isDrained)
        .filter(stored -> !stored.createdAt().isBefore(cutoff))
        .sorted(Comparator.comparing(StoredEvent::createdAt).thenComparing(StoredEvent::id))
        .map(DrainedDocuments::document)
        .toList();
  }

  /** Reads back to the beginning of the quarantine. */
  private void newest(String node, String episode, Map<String, StoredEvent> found) {
    EventQuery query =
        EventQuery.ALL
            .ofNode(node)
            .withNodeQuarantined(
                HealthStatus.QUARANTINED.word(), HealthStatus.ALREADY_QUARANTINED.word())
            .newest()
            .atMost(PAGE);
    for (int i = 0; i < MOST_PAGES; i++) {
      List<StoredEvent> page = store.query(query);
      for (StoredEvent stored : page) {
        if (!stored.episode().isEmpty() && !stored.episode().equals(episode)) {
          return;
        }
        found.put(stored.id(), stored);
      }
      if (page.size() < PAGE) {
        return;
      }
      query = query.after(page.getLast());
    }
  }

  private static boolean isDrained(StoredEvent stored) {
    return ChangeFilter.DRAINED.contains(stored.status().userPodsEvictionStatus().status())
        && ChangeFilter.QUARANTINED.contains(stored.status().nodeQuarantined());
  }

  private static RemediationDocument document(StoredEvent stored) {
    return new RemediationDocument(
        stored.event(),
        stored.createdAt(),
        stored.episode(),
        Optional.ofNullable(stored.status().faultRemediated()));
  }

  /** Whether a person has ended the quarantine that began with this event; absent if not known. */
  Optional<Boolean> isCancelled(String episode) {
    return store
        .get(episode)
        .map(stored -> HealthStatus.CANCELLED.is(stored.status().nodeQuarantined()));
  }

  /** Stores what came of events, under the original's names. */
  void conclude(Map<String, Optional<Refusal>> verdicts, Instant now) {
    var _ =
        store.update(
            verdicts.entrySet().stream()
                .map(
                    each ->
                        new EventUpdate(
                            each.getKey(),
                            StatusUpdate.NONE
                                .faultRemediated(each.getValue().isEmpty())
                                .lastRemediation(now)
                                .spanId(
                                    HealthNames.FAULT_REMEDIATION,
                                    SpanId.of(HealthNames.FAULT_REMEDIATION, each.getKey()))))
                .toList());
  }
}
