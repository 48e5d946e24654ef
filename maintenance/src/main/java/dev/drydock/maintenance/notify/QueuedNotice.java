package dev.drydock.maintenance.notify;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.maintenance.decide.CompletionKind;
import dev.drydock.maintenance.decide.NoticeEvent;
import dev.drydock.maintenance.notify.Notice.Extras;
import dev.drydock.maintenance.notify.Notice.Subject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A notice that is stored until every channel has delivered it.
 *
 * @param key its place in the order, as text
 * @param pending the channels that have yet to take it
 */
record QueuedNotice(String key, Instant stored, Set<String> pending, Notice notice) {
  static final String FIRST_KEY = "00000001";

  QueuedNotice {
    pending = Set.copyOf(pending);
  }

  /** The key that follows. */
  static String after(String key) {
    return "%08d".formatted(Long.parseLong(key) + 1);
  }

  QueuedNotice pendingFor(Set<String> channels) {
    return new QueuedNotice(key, stored, channels, notice);
  }

  String id() {
    return notice.deduplicationId();
  }

  int size() {
    return key.length() + write().getBytes(StandardCharsets.UTF_8).length;
  }

  String write() {
    Subject subject = notice.subject();
    Extras extras = subject.extras();
    ObjectNode entry = Json.object();
    entry.put("event", notice.event().word()).put("at", notice.at().toString());
    switch (notice.completion()) {
      case ORDINARY -> {}
      case CANCELLED -> entry.put("cancelled", true);
      case ENDED_EARLY -> entry.put("endedEarly", true);
    }
    entry.put("namespace", subject.namespace()).put("name", subject.name());
    entry.put("created", subject.created().toString());
    entry.put("node", subject.node()).put("maintenanceID", subject.maintenanceID());
    entry.put("maintenanceType", subject.maintenanceType()).put("client", subject.client());
    Notice.putUnlessEmpty(entry, "owner", extras.owner());
    Notice.putUnlessEmpty(entry, "metadataConfigmap", extras.metadataConfigmap());
    Notice.putUnlessEmpty(entry, "overrides", extras.validationMetadataOverrides());
    Notice.putUnlessEmpty(entry, "topicArn", extras.topicArn());
    entry.put("stored", stored.toString());
    ArrayNode channels = entry.putArray("pending");
    new TreeSet<>(pending).forEach(channels::add);
    return entry.toString();
  }

  /** Empty for what somebody else wrote. */
  static Optional<QueuedNotice> read(String key, String text) {
    try {
      return key.matches("\\d{8}") ? read(key, Json.read(text)) : Optional.empty();
    } catch (IOException | DateTimeException foreign) {
      return Optional.empty();
    }
  }

  private static Optional<QueuedNotice> read(String key, JsonNode entry) {
    Optional<NoticeEvent> event = Notice.event(text(entry, "event"));
    return event.map(
        known ->
            new QueuedNotice(
                key,
                Instant.parse(text(entry, "stored")),
                Set.copyOf(Fields.list(entry.path("pending"))),
                new Notice(
                    known, Instant.parse(text(entry, "at")), completion(entry), subject(entry))));
  }

  private static CompletionKind completion(JsonNode entry) {
    if (entry.path("cancelled").asBoolean(false)) {
      return CompletionKind.CANCELLED;
    }
    return entry.path("endedEarly").asBoolean(false)
        ? CompletionKind.ENDED_EARLY
        : CompletionKind.ORDINARY;
  }

  private static Subject subject(JsonNode entry) {
    return new Subject(
        text(entry, "namespace"),
        text(entry, "name"),
        Instant.parse(text(entry, "created")),
        text(entry, "node"),
        text(entry, "maintenanceID"),
        text(entry, "maintenanceType"),
        text(entry, "client"),
        new Extras(
            text(entry, "owner"),
            text(entry, "metadataConfigmap"),
            text(entry, "overrides"),
            text(entry, "topicArn")));
  }
}
