package dev.drydock.health.quarantine;

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
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.EventUpdate;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.Json;
import dev.drydock.kube.Patch;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

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
    return holds.tryEdit(
        node.root(), before -> change(before, edit.hold(), now), patch -> fill(patch, node, edit));
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
      case HoldStep.GiveBack() -> before.giveBack(QuarantineNames.HOLDER);
      case HoldStep.Drop() -> before.observe();
      case HoldStep.Strike(String why) -> {
        Holds.Change placed =
            before.place(
                Hold.of(
                    QuarantineNames.STRIKES_HOLDER,
                    why + ": look at the node, then uncordon it",
                    now));
        Holds.Change released = placed.holds().release(QuarantineNames.HOLDER);
        List<Holds.Notice> notices = new ArrayList<>(placed.notices());
        notices.addAll(released.notices());
        yield new Holds.Change(released.holds(), notices);
      }
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
            .spanId(HealthNames.FAULT_QUARANTINE, span(id));
    boolean out = status == HealthStatus.QUARANTINED || status == HealthStatus.ALREADY_QUARANTINED;
    return new EventUpdate(id, out ? update.quarantineFinished(now) : update);
  }

  /** The same each time, because an update may be repeated. */
  private static String span(String id) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest((HealthNames.FAULT_QUARANTINE + id).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException everyJavaHasIt) {
      throw new IllegalStateException(everyJavaHasIt);
    }
  }

  void store(List<EventUpdate> updates) {
    if (!updates.isEmpty()) {
      var _ = store.update(updates);
    }
  }

  /** A person has ended the quarantine: what was to come of its events is cancelled. */
  void cancel(String node) {
    List<EventUpdate> updates = new ArrayList<>();
    EventQuery query =
        EventQuery.ALL
            .ofNode(node)
            .withNodeQuarantined(
                HealthStatus.QUARANTINED.word(),
                HealthStatus.ALREADY_QUARANTINED.word(),
                HealthStatus.UN_QUARANTINED.word())
            .newest()
            .atMost(PAGE);
    boolean more = true;
    while (more) {
      List<StoredEvent> page = store.query(query);
      more = page.size() == PAGE;
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
      if (more) {
        query = query.after(page.getLast());
      }
    }
    store(updates);
  }

  /** The healthy events of the node that were stored after this one. */
  List<StoredEvent> later(StoredEvent event) {
    List<StoredEvent> later = new ArrayList<>();
    EventQuery query =
        EventQuery.ALL
            .ofNode(event.event().nodeName())
            .createdSince(event.createdAt())
            .after(event)
            .atMost(PAGE);
    List<StoredEvent> page = store.query(query);
    while (!page.isEmpty()) {
      page.stream().filter(one -> one.event().isHealthy()).forEach(later::add);
      page = page.size() < PAGE ? List.of() : store.query(query.after(page.getLast()));
    }
    return later;
  }
}
