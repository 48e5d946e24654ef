package dev.drydock.health.rules;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.values.NullValue;
import dev.drydock.contracts.health.BehaviourOverrides;
import dev.drydock.contracts.health.HealthEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Events and nodes as expressions see them. */
public final class EventVariables {
  private static final Object NULL = NullValue.NULL_VALUE;

  private EventVariables() {}

  /**
   * All fields are present, by the names that they have in JSON; actions and strategies are
   * numbers, and lists without elements are null.
   */
  public static Map<String, Object> of(HealthEvent event) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("version", (long) event.version());
    fields.put("agent", event.agent());
    fields.put("componentClass", event.componentClass());
    fields.put("checkName", event.checkName());
    fields.put("isFatal", event.isFatal());
    fields.put("isHealthy", event.isHealthy());
    fields.put("message", event.message());
    fields.put("recommendedAction", (long) event.recommendedAction().number());
    fields.put("errorCode", event.errorCode().isEmpty() ? NULL : event.errorCode());
    fields.put("entitiesImpacted", event.entitiesImpacted().isEmpty() ? NULL : entities(event));
    fields.put("metadata", event.metadata());
    fields.put("generatedTimestamp", time(event.generatedTimestamp()));
    fields.put("nodeName", event.nodeName());
    fields.put("quarantineOverrides", overrides(event.quarantineOverrides()));
    fields.put("drainOverrides", overrides(event.drainOverrides()));
    fields.put("processingStrategy", (long) event.processingStrategy().number());
    fields.put("id", event.id());
    fields.put("customRecommendedAction", event.customRecommendedAction());
    return fields;
  }

  private static List<Map<String, Object>> entities(HealthEvent event) {
    return event.entitiesImpacted().stream()
        .map(
            entity ->
                Map.<String, Object>of(
                    "entityType", entity.entityType(), "entityValue", entity.entityValue()))
        .toList();
  }

  private static Object time(@Nullable Instant time) {
    return time == null
        ? NULL
        : Map.of("seconds", time.getEpochSecond(), "nanos", (long) time.getNano());
  }

  private static Object overrides(@Nullable BehaviourOverrides overrides) {
    return overrides == null ? NULL : Map.of("force", overrides.force(), "skip", overrides.skip());
  }

  /** A Node's metadata and spec; labels and annotations are there even if it has none. */
  public static Map<String, Object> ofNode(JsonNode metadata, JsonNode spec) {
    Map<String, Object> about = fields(metadata);
    about.putIfAbsent("labels", Map.of());
    about.putIfAbsent("annotations", Map.of());
    return Map.of("metadata", about, "spec", fields(spec));
  }

  private static Map<String, Object> fields(JsonNode object) {
    Map<String, Object> fields = new LinkedHashMap<>();
    object.properties().forEach(field -> fields.put(field.getKey(), value(field.getValue())));
    return fields;
  }

  private static Object value(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> fields(node);
      case ARRAY -> {
        List<Object> elements = new ArrayList<>();
        node.forEach(element -> elements.add(value(element)));
        yield elements;
      }
      case STRING -> node.asText();
      case BOOLEAN -> node.asBoolean();
      case NUMBER -> node.isIntegralNumber() ? (Object) node.asLong() : (Object) node.asDouble();
      default -> NULL;
    };
  }
}
