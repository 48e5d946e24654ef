package dev.drydock.health.quarantine;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.health.BehaviourOverrides;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.ImpactedEntity;
import dev.drydock.contracts.health.ProcessingStrategy;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events of a quarantine as they are written on the Node: a JSON array with the field names of
 * the protocol, numbers for actions and strategies, and times as seconds and nanos.
 */
final class EventAnnotation {
  private EventAnnotation() {}

  static String write(List<HealthEvent> events) {
    ArrayNode array = Json.array();
    events.forEach(event -> array.add(object(event)));
    return array.toString();
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
        root.forEach(event -> events.add(event(event)));
      } else if (root.isObject() && !root.isEmpty()) {
        events.add(event(root));
      }
    } catch (DateTimeException | IllegalArgumentException malformed) {
      throw new IOException(malformed.getMessage(), malformed);
    }
    return events;
  }

  private static ObjectNode object(HealthEvent event) {
    ObjectNode object = Json.object();
    object.put("version", event.version());
    object.put("agent", event.agent());
    object.put("componentClass", event.componentClass());
    object.put("checkName", event.checkName());
    putTrue(object, "isFatal", event.isFatal());
    putTrue(object, "isHealthy", event.isHealthy());
    putText(object, "message", event.message());
    object.put("recommendedAction", event.recommendedAction().number());
    if (!event.errorCode().isEmpty()) {
      event.errorCode().forEach(object.putArray("errorCode")::add);
    }
    if (!event.entitiesImpacted().isEmpty()) {
      ArrayNode entities = object.putArray("entitiesImpacted");
      for (ImpactedEntity entity : event.entitiesImpacted()) {
        entities
            .addObject()
            .put("entityType", entity.entityType())
            .put("entityValue", entity.entityValue());
      }
    }
    if (!event.metadata().isEmpty()) {
      ObjectNode metadata = object.putObject("metadata");
      event.metadata().forEach(metadata::put);
    }
    Instant time = event.generatedTimestamp();
    if (time != null) {
      object
          .putObject("generatedTimestamp")
          .put("seconds", time.getEpochSecond())
          .put("nanos", time.getNano());
    }
    object.put("nodeName", event.nodeName());
    putOverrides(object, "quarantineOverrides", event.quarantineOverrides());
    putOverrides(object, "drainOverrides", event.drainOverrides());
    object.put("processingStrategy", event.processingStrategy().number());
    putText(object, "id", event.id());
    putText(object, "customRecommendedAction", event.customRecommendedAction());
    return object;
  }

  private static void putTrue(ObjectNode object, String field, boolean value) {
    if (value) {
      object.put(field, true);
    }
  }

  private static void putText(ObjectNode object, String field, String value) {
    if (!value.isEmpty()) {
      object.put(field, value);
    }
  }

  private static void putOverrides(
      ObjectNode object, String field, @Nullable BehaviourOverrides overrides) {
    if (overrides != null) {
      ObjectNode both = object.putObject(field);
      putTrue(both, "force", overrides.force());
      putTrue(both, "skip", overrides.skip());
    }
  }

  private static HealthEvent event(JsonNode object) {
    HealthEvent.Builder event =
        HealthEvent.builder()
            .version(Fields.count(object, "version"))
            .agent(text(object, "agent"))
            .componentClass(text(object, "componentClass"))
            .checkName(text(object, "checkName"))
            .isFatal(object.path("isFatal").asBoolean(false))
            .isHealthy(object.path("isHealthy").asBoolean(false))
            .message(text(object, "message"))
            .recommendedAction(
                RecommendedAction.find(object.path("recommendedAction").asText("0"))
                    .orElse(RecommendedAction.UNKNOWN))
            .errorCode(Fields.list(object.path("errorCode")))
            .metadata(Map.copyOf(Fields.texts(object.path("metadata"))))
            .generatedTimestamp(time(object.path("generatedTimestamp")))
            .nodeName(text(object, "nodeName"))
            .quarantineOverrides(overrides(object.path("quarantineOverrides")))
            .drainOverrides(overrides(object.path("drainOverrides")))
            .processingStrategy(
                ProcessingStrategy.find(object.path("processingStrategy").asText("0"))
                    .orElse(ProcessingStrategy.UNSPECIFIED))
            .id(text(object, "id"))
            .customRecommendedAction(text(object, "customRecommendedAction"));
    for (JsonNode entity : object.path("entitiesImpacted")) {
      event.entity(text(entity, "entityType"), text(entity, "entityValue"));
    }
    return event.build();
  }

  private static @Nullable Instant time(JsonNode time) {
    if (time.isTextual()) {
      return Instant.parse(time.asText());
    }
    return time.isObject()
        ? Instant.ofEpochSecond(time.path("seconds").asLong(0), time.path("nanos").asLong(0))
        : null;
  }

  private static @Nullable BehaviourOverrides overrides(JsonNode both) {
    return both.isObject()
        ? new BehaviourOverrides(
            both.path("force").asBoolean(false), both.path("skip").asBoolean(false))
        : null;
  }
}
