package dev.drydock.health.quarantine;

import static java.util.Comparator.comparing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.health.decide.NodeEdit;
import dev.drydock.health.decide.NodeEdit.HoldStep;
import dev.drydock.health.decide.NodeTaint;
import dev.drydock.health.decide.Supersession;
import dev.drydock.health.event.SpanId;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.EventUpdate;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.Json;
import dev.drydock.kube.Patch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes what was decided: to the Node in one patch, and to the store. */
final class QuarantineWriter {
  private static final int PAGE = 1000;

  private final NodeHolds holds;
  private final EventStore store;

  QuarantineWriter(NodeHolds holds, EventStore store) {
    this.holds = holds;
    this.store = store;
  }

  /** Empty if the Node was changed since it was read. */
  Optional<NodeHolds.Edited> write(QuarantineNodeObject node, NodeEdit edit, Instant now) {
    return write(node, edit, Optional.empty(), now);
  }

  /**
   * @param validation the events after which the node is validated; as they are if absent
   */
  Optional<NodeHolds.Edited> write(
      QuarantineNodeObject node, NodeEdit edit, Optional<String> validation, Instant now) {
    return holds.tryEdit(
        node.root(),
        before -> change(before, edit.hold(), now),
        patch -> {
          fill(patch, node, edit);
          validation.ifPresent(
              text -> patch.annotation(QuarantineNames.VALIDATION, text.isEmpty() ? null : text));
        });
  }

  void record(NodeHolds.Edited edited) {
    var _ = holds.record(edited.changed());
  }

  private static Holds.Change change(Holds before, HoldStep step, Instant now) {
    return switch (step) {
      case HoldStep.Keep() -> new Holds.Change(before, List.of());
      case HoldStep.Place(String reason) ->
          before.place(Hold.of(QuarantineNames.HOLDER, reason, now));
      case HoldStep.Release() -> before.release(QuarantineNames.HOLDER);
      case HoldStep.ReleaseWithCordon() -> before.releaseWithCordon(QuarantineNames.HOLDER);
      case HoldStep.Drop() -> before.observe();
      case HoldStep.Strike(String why) ->
          before
              .place(
                  Hold.of(
                      QuarantineNames.STRIKES_HOLDER,
                      why + ": look at the node, then uncordon it",
                      now))
              .then(holds -> holds.release(QuarantineNames.HOLDER));
    };
  }

  private static void fill(Patch patch, QuarantineNodeObject node, NodeEdit edit) {
    edit.labels().forEach((key, value) -> patch.label(key, value.orElse(null)));
    QuarantineAnnotations.write(edit)
        .forEach((key, value) -> patch.annotation(key, value.orElse(null)));
    if (!edit.taintsAdded().isEmpty() || !edit.taintsRemoved().isEmpty()) {
      patch.spec(spec -> spec.set("taints", taints(node, edit)));
    }
  }

  /** The list is written as a whole; taints of others keep all their fields. */
  private static ArrayNode taints(QuarantineNodeObject node, NodeEdit edit) {
    ArrayNode taints = Json.array();
    for (JsonNode taint : node.root().path("spec").path("taints")) {
      NodeTaint known =
          new NodeTaint(
              taint.path("key").asText(""),
              taint.path("value").asText(""),
              taint.path("effect").asText(""));
      if (!edit.taintsRemoved().contains(known)) {
        taints.add(taint);
      }
    }
    for (NodeTaint taint : edit.taintsAdded()) {
      taints
          .addObject()
          .put("key", taint.key())
          .put("value", taint.value())
          .put("effect", taint.effect());
    }
    return taints;
  }

  /** The update that says what came of an event. */
  static EventUpdate update(String id, HealthStatus status, String episode, Instant now) {
    StatusUpdate update =
        StatusUpdate.NONE
            .nodeQuarantined(status)
            .episode(episode)
            .spanId(HealthNames.FAULT_QUARANTINE, SpanId.of(HealthNames.FAULT_QUARANTINE, id));
    boolean out = status == HealthStatus.QUARANTINED || status == HealthStatus.ALREADY_QUARANTINED;
    return new EventUpdate(id, out ? update.quarantineFinished(now) : update);
  }

  void store(List<EventUpdate> updates) {
    if (!updates.isEmpty()) {
      var _ = store.update(updates);
    }
  }

  /**
   * A person has ended the quarantine: what was to come of its events is cancelled, the newest
   * first, so that an interrupted attempt is taken up where it was.
   */
  void cancel(String node) {
    EventQuery query =
        EventQuery.ALL
            .ofNode(node)
            .withNodeQuarantined(
                HealthStatus.QUARANTINED.word(),
                HealthStatus.ALREADY_QUARANTINED.word(),
                HealthStatus.UN_QUARANTINED.word())
            .newest()
            .atMost(PAGE);
    List<StoredEvent> page = store.query(query);
    while (!page.isEmpty()) {
      List<EventUpdate> updates = new ArrayList<>();
      boolean more = page.size() == PAGE;
      for (StoredEvent event : page) {
        String word = event.status().nodeQuarantined();
        if (HealthStatus.UN_QUARANTINED.is(word)) {
          more = false; // what is older belongs to an earlier quarantine
          break;
        }
        updates.add(
            new EventUpdate(event.id(), StatusUpdate.NONE.nodeQuarantined(HealthStatus.CANCELLED)));
        if (HealthStatus.QUARANTINED.is(word)) {
          more = false;
          break;
        }
      }
      store(updates);
      page = more ? store.query(query.after(page.getLast())) : List.of();
    }
  }

  /**
   * The ids of those that need not be acted on any more: healthy events of the node that were
   * stored after them have cleared them wholly, or they were decided on since they were read.
   *
   * @param unhealthy of one node, in any order
   */
  Set<String> superseded(List<StoredEvent> unhealthy) {
    StoredEvent first = Collections.min(unhealthy, comparing(StoredEvent::createdAt));
    Map<String, Supersession> wanted = new HashMap<>();
    unhealthy.forEach(event -> wanted.put(event.id(), Supersession.of(event.event())));
    Map<String, Supersession> left = new HashMap<>();
    Set<String> cleared = new HashSet<>();
    EventQuery query =
        EventQuery.ALL
            .ofNode(first.event().nodeName())
            .createdSince(first.createdAt())
            .atMost(PAGE);
    List<StoredEvent> page = store.query(query);
    while (!page.isEmpty() && cleared.size() < wanted.size()) {
      for (StoredEvent event : page) {
        Supersession begun = wanted.get(event.id());
        if (event.event().isHealthy()) {
          left.replaceAll((_, supersession) -> supersession.after(event.event()));
          left.forEach((id, supersession) -> addIfComplete(cleared, id, supersession));
          left.keySet().removeAll(cleared);
        } else if (begun != null && event.isUndecided()) {
          left.put(event.id(), begun);
        } else if (begun != null) {
          cleared.add(event.id());
        }
      }
      page = page.size() < PAGE ? List.of() : store.query(query.after(page.getLast()));
    }
    return cleared;
  }

  private static void addIfComplete(Set<String> ids, String id, Supersession supersession) {
    if (supersession.isComplete()) {
      ids.add(id);
    }
  }

  /** The ids of the events of the node that were stored after this one, and at the same time. */
  Set<String> next(StoredEvent event) {
    return store
        .query(
            EventQuery.ALL
                .ofNode(event.event().nodeName())
                .createdSince(event.createdAt())
                .after(event)
                .atMost(PAGE))
        .stream()
        .filter(other -> other.createdAt().equals(event.createdAt()))
        .map(StoredEvent::id)
        .collect(Collectors.toSet());
  }
}
