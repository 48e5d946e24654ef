package dev.drydock.serve.feature;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.ApiObject;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;

/**
 * An Event.
 *
 * @param object what it is about
 * @param times how often it happened, first at the given time
 * @param annotations of the Event
 */
public record RecordedEvent(
    Instant at,
    Subject object,
    String reason,
    String note,
    int times,
    Map<String, String> annotations) {
  /** An Event without annotations. */
  public RecordedEvent(Instant at, Subject object, String reason, String note, int times) {
    this(at, object, reason, note, times, Map.of());
  }

  /** The object that an Event is about. */
  public record Subject(String kind, String namespace, String name, String uid) {}

  /** From the core form, which every server offers. */
  public static RecordedEvent read(JsonNode event) {
    JsonNode about = event.path("involvedObject");
    Instant at =
        Stream.of(
                time(event, "eventTime"),
                time(event, "firstTimestamp"),
                time(event, "lastTimestamp"),
                time(event.path("metadata"), "creationTimestamp"))
            .filter(Instant.EPOCH::isBefore)
            .findFirst()
            .orElse(Instant.EPOCH);
    int times = Math.max(event.path("count").asInt(1), event.path("series").path("count").asInt(1));
    return new RecordedEvent(
        at,
        new Subject(
            text(about, "kind"), text(about, "namespace"), text(about, "name"), text(about, "uid")),
        text(event, "reason"),
        String.join(" ", text(event, "message").lines().toList()),
        Math.max(1, times),
        ApiObject.of(event).annotations());
  }

  public String message() {
    return times == 1 ? note : "%s (%d times)".formatted(note, times);
  }
}
