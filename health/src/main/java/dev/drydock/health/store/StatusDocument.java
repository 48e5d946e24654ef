package dev.drydock.health.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthEventStatus;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.contracts.health.OperationStatus;
import dev.drydock.contracts.health.ProcessingStrategy;
import dev.drydock.health.event.EventJson;
import dev.drydock.kube.Json;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Events as the documents of the original's databases, and updates of their states. */
public final class StatusDocument {
  private static final Logger LOG = LoggerFactory.getLogger(StatusDocument.class);

  /** The keys of a document. */
  public static final String EVENT = "healthevent";

  public static final String STATUS = "healtheventstatus";
  public static final String CREATED = "createdAt";

  private static final String EPISODE = StatusField.EPISODE.documentPath();

  /** After which an eviction does not go on: consumers take these for the whole. */
  private static final Set<String> FINAL =
      Set.of(
          HealthStatus.SUCCEEDED.word(),
          HealthStatus.ALREADY_DRAINED.word(),
          HealthStatus.FAILED.word(),
          HealthStatus.CANCELLED.word());

  private StatusDocument() {}

  /** A new event's. */
  public static ObjectNode of(HealthEvent event) {
    ObjectNode document = Json.object();
    document.set(EVENT, EventJson.document(event));
    document.set(STATUS, EventJson.document(HealthEventStatus.NEW));
    return document;
  }

  /**
   * Reads either form of names. A document of somebody else that cannot be read becomes an event
   * that nobody acts on: it must not hide those after it.
   */
  public static StoredEvent read(String id, Instant created, JsonNode document) {
    try {
      JsonNode status = document.path(STATUS);
      return new StoredEvent(
          id,
          created,
          EventJson.event(document.path(EVENT)).toBuilder().id(id).build(),
          EventJson.status(status),
          status.path(EPISODE).asText(""));
    } catch (IllegalArgumentException unreadable) {
      LOG.warn("event {} cannot be read: {}", id, unreadable.getMessage());
      HealthEvent none =
          HealthEvent.builder()
              .id(id)
              .message("this document cannot be read: " + unreadable.getMessage())
              .processingStrategy(ProcessingStrategy.STORE_ONLY)
              .build();
      return new StoredEvent(id, created, none, HealthEventStatus.NEW, "");
    }
  }

  /** New values by their paths below {@link #STATUS}. */
  public static Map<String, JsonNode> assignments(StatusUpdate update) {
    Map<String, JsonNode> assignments = new LinkedHashMap<>();
    update
        .values()
        .forEach(
            (field, value) ->
                assignments.put(
                    field.documentPath(),
                    switch (value) {
                      case OperationStatus status -> EventJson.json(status);
                      case Boolean flag -> BooleanNode.valueOf(flag);
                      case Instant time -> EventJson.documentTime(time);
                      default -> TextNode.valueOf(value.toString());
                    }));
    update
        .spanIds()
        .forEach(
            (service, span) ->
                assignments.put(
                    StatusField.SPAN_IDS.documentPath() + "." + service, TextNode.valueOf(span)));
    return assignments;
  }

  /** Changes a document as the update says; all that it does not name stays. */
  public static void apply(StatusUpdate update, ObjectNode document) {
    ObjectNode status = object(document, STATUS);
    assignments(update)
        .forEach(
            (path, value) -> {
              int dot = path.indexOf('.');
              if (dot < 0) {
                set(status, path, value);
              } else {
                set(object(status, path.substring(0, dot)), path.substring(dot + 1), value);
              }
            });
  }

  private static ObjectNode object(ObjectNode parent, String name) {
    String present = present(parent, name);
    return parent.path(present) instanceof ObjectNode there ? there : parent.putObject(present);
  }

  private static void set(ObjectNode object, String name, JsonNode value) {
    object.set(present(object, name), value);
  }

  /** The name as somebody else wrote it, in whatever case, so that there is only one. */
  private static String present(ObjectNode object, String name) {
    if (!object.has(name)) {
      for (Map.Entry<String, JsonNode> entry : object.properties()) {
        if (entry.getKey().toLowerCase(Locale.ROOT).equals(name)) {
          return entry.getKey();
        }
      }
    }
    return name;
  }

  /**
   * What somebody else changed, who does not say it: the fields that differ. Whether he wrote the
   * eviction's status as a whole cannot be seen; a final one counts as such.
   */
  public static StatusUpdate difference(JsonNode before, JsonNode after) {
    HealthEventStatus old = EventJson.status(before);
    HealthEventStatus now = EventJson.status(after);
    StatusUpdate update = StatusUpdate.NONE;
    if (!old.nodeQuarantined().equals(now.nodeQuarantined())) {
      update = update.with(StatusField.NODE_QUARANTINED, now.nodeQuarantined());
    }
    update =
        with(
            update,
            StatusField.QUARANTINE_FINISH_TIMESTAMP,
            old.quarantineFinishTimestamp(),
            now.quarantineFinishTimestamp());
    update = withEviction(update, old.userPodsEvictionStatus(), now.userPodsEvictionStatus());
    update =
        with(
            update,
            StatusField.DRAIN_FINISH_TIMESTAMP,
            old.drainFinishTimestamp(),
            now.drainFinishTimestamp());
    update =
        with(update, StatusField.FAULT_REMEDIATED, old.faultRemediated(), now.faultRemediated());
    update =
        with(
            update,
            StatusField.LAST_REMEDIATION_TIMESTAMP,
            old.lastRemediationTimestamp(),
            now.lastRemediationTimestamp());
    for (Map.Entry<String, String> span : now.spanIds().entrySet()) {
      if (!span.getValue().equals(old.spanIds().get(span.getKey()))) {
        update = update.spanId(span.getKey(), span.getValue());
      }
    }
    return with(
        update,
        StatusField.EPISODE,
        before.path(EPISODE).asText(""),
        after.path(EPISODE).asText(""));
  }

  private static StatusUpdate with(
      StatusUpdate update, StatusField field, @Nullable Object before, @Nullable Object after) {
    return after == null || after.equals(before) ? update : update.with(field, after);
  }

  private static StatusUpdate withEviction(
      StatusUpdate update, OperationStatus before, OperationStatus after) {
    if (before.equals(after)) {
      return update;
    }
    if (FINAL.contains(after.status())) {
      return update.with(StatusField.USER_PODS_EVICTION_STATUS, after);
    }
    StatusUpdate parts = update;
    if (!before.status().equals(after.status())) {
      parts = parts.with(StatusField.USER_PODS_EVICTION_STATUS_STATUS, after.status());
    }
    return before.message().equals(after.message())
        ? parts
        : parts.with(StatusField.USER_PODS_EVICTION_STATUS_MESSAGE, after.message());
  }
}
