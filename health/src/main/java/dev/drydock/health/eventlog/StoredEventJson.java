package dev.drydock.health.eventlog;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.event.EventJson;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;

/** Stored events as {@code drydock events -o json} prints them. */
public final class StoredEventJson {
  private static final String EVENT = "healthevent";

  private StoredEventJson() {}

  public static ObjectNode write(StoredEvent event) {
    ObjectNode object = Json.object();
    object.put("id", event.id()).put("createdAt", event.createdAt().toString());
    object.set(EVENT, EventJson.json(event.event()));
    object.set("healtheventstatus", EventJson.json(event.status()));
    object.put("episode", event.episode());
    return object;
  }

  /** Whether this is a stored event, and not an event alone. */
  public static boolean isStored(JsonNode object) {
    return object.has(EVENT);
  }

  /**
   * Reads what {@link #write} has written.
   *
   * @throws IllegalArgumentException if it cannot be an event
   */
  public static StoredEvent read(JsonNode object) {
    String id = object.path("id").asText("");
    HealthEvent event = EventJson.event(object.path(EVENT));
    return new StoredEvent(
        id,
        Fields.time(object, "createdAt"),
        event.toBuilder().id(id).build(),
        EventJson.status(object.path("healtheventstatus")),
        object.path("episode").asText(""));
  }
}
