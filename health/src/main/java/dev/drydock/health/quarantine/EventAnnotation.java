package dev.drydock.health.quarantine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.event.EventJson;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The events of a quarantine as they are written on the Node: a JSON array with the field names of
 * the protocol, numbers for actions and strategies, and times as seconds and nanos.
 */
final class EventAnnotation {
  private static final String TIME = "generatedTimestamp";

  private EventAnnotation() {}

  static String write(List<HealthEvent> events) {
    ArrayNode array = Json.array();
    events.forEach(event -> array.add(json(event)));
    return array.toString();
  }

  static ObjectNode json(HealthEvent event) {
    ObjectNode object = EventJson.json(event);
    Instant time = event.generatedTimestamp();
    if (time != null) {
      object.set(TIME, EventJson.documentTime(time));
    }
    return object;
  }

  /** Also the old form: one object instead of an array. Empty for a text without events. */
  static List<HealthEvent> read(String text) throws IOException {
    if (text.isBlank()) {
      return List.of();
    }
    JsonNode root = Json.read(text);
    List<HealthEvent> events = new ArrayList<>();
    try {
      if (root.isArray()) {
        root.forEach(event -> events.add(EventJson.event(event)));
      } else if (root.isObject() && !root.isEmpty()) {
        events.add(EventJson.event(root));
      }
    } catch (IllegalArgumentException malformed) {
      throw new IOException(malformed.getMessage(), malformed);
    }
    return events;
  }
}
