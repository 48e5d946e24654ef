package dev.drydock.health.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.health.BehaviourOverrides;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthEventStatus;
import dev.drydock.contracts.health.ImpactedEntity;
import dev.drydock.contracts.health.OperationStatus;
import dev.drydock.contracts.health.ProcessingStrategy;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.kube.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Health events as JSON, with the protocol's names, and with the same names in lower case, as
 * documents have them. Either is read; the action is read by number and by name.
 */
public final class EventJson {
  private EventJson() {}

  /** The form that clients write: enumerations by number, times as RFC 3339. */
  public static ObjectNode json(HealthEvent event) {
    return write(event, UnaryOperator.identity());
  }

  /** As the store's documents have it: names in lower case, times as seconds and nanos. */
  public static ObjectNode document(HealthEvent event) {
    return write(event, EventJson::lower);
  }

  public static ObjectNode json(HealthEventStatus status) {
    return write(status, UnaryOperator.identity());
  }

  public static ObjectNode document(HealthEventStatus status) {
    return write(status, EventJson::lower);
  }

  /**
   * Reads either form. Fields that are not known are ignored.
   *
   * @throws IllegalArgumentException with one line that names the field that cannot be read
   */
  public static HealthEvent event(JsonNode json) {
    if (!json.isObject()) {
      throw new IllegalArgumentException("a health event is a JSON object");
    }
    Fields fields = new Fields(json);
    return new HealthEvent(
        fields.number("version"),
        fields.text("agent"),
        fields.text("componentClass"),
        fields.text("checkName"),
        fields.flag("isFatal"),
        fields.flag("isHealthy"),
        fields.text("message"),
        new RecommendedAction(
            fields.numbered(
                "recommendedAction",
                name -> RecommendedAction.find(name).map(RecommendedAction::number))),
        fields.texts("errorCode"),
        fields.entities(),
        fields.map("metadata"),
        fields.time("generatedTimestamp"),
        fields.text("nodeName"),
        fields.overrides("quarantineOverrides"),
        fields.overrides("drainOverrides"),
        new ProcessingStrategy(
            fields.numbered(
                "processingStrategy",
                name -> ProcessingStrategy.find(name).map(ProcessingStrategy::number))),
        fields.text("id"),
        fields.text("customRecommendedAction"));
  }

  /** Reads either form; what is missing is as in a new event. */
  public static HealthEventStatus status(JsonNode json) {
    Fields fields = new Fields(json);
    Fields eviction = new Fields(fields.get("userPodsEvictionStatus"));
    JsonNode remediated = fields.get("faultRemediated");
    return new HealthEventStatus(
        fields.text("nodeQuarantined"),
        fields.time("quarantineFinishTimestamp"),
        new OperationStatus(eviction.text("status"), eviction.text("message")),
        fields.time("drainFinishTimestamp"),
        remediated.isBoolean()
            ? Boolean.valueOf(remediated.booleanValue())
            : remediated.path("value").isBoolean()
                ? Boolean.valueOf(remediated.path("value").booleanValue())
                : null,
        fields.time("lastRemediationTimestamp"),
        fields.map("spanIds"));
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private static ObjectNode write(HealthEvent event, UnaryOperator<String> name) {
    ObjectNode json = Json.object();
    json.put(name.apply("version"), event.version());
    json.put(name.apply("agent"), event.agent());
    json.put(name.apply("componentClass"), event.componentClass());
    json.put(name.apply("checkName"), event.checkName());
    json.put(name.apply("isFatal"), event.isFatal());
    json.put(name.apply("isHealthy"), event.isHealthy());
    json.put(name.apply("message"), event.message());
    json.put(name.apply("recommendedAction"), event.recommendedAction().number());
    ArrayNode codes = json.putArray(name.apply("errorCode"));
    event.errorCode().forEach(codes::add);
    ArrayNode entities = json.putArray(name.apply("entitiesImpacted"));
    event
        .entitiesImpacted()
        .forEach(
            entity ->
                entities
                    .addObject()
                    .put(name.apply("entityType"), entity.entityType())
                    .put(name.apply("entityValue"), entity.entityValue()));
    ObjectNode metadata = json.putObject(name.apply("metadata"));
    event.metadata().forEach(metadata::put);
    putTime(json, name, "generatedTimestamp", event.generatedTimestamp());
    json.put(name.apply("nodeName"), event.nodeName());
    putOverrides(json, name.apply("quarantineOverrides"), event.quarantineOverrides());
    putOverrides(json, name.apply("drainOverrides"), event.drainOverrides());
    json.put(name.apply("processingStrategy"), event.processingStrategy().number());
    json.put(name.apply("id"), event.id());
    json.put(name.apply("customRecommendedAction"), event.customRecommendedAction());
    return json;
  }

  private static ObjectNode write(HealthEventStatus status, UnaryOperator<String> name) {
    ObjectNode json = Json.object();
    json.put(name.apply("nodeQuarantined"), status.nodeQuarantined());
    putTime(json, name, "quarantineFinishTimestamp", status.quarantineFinishTimestamp());
    json.set(name.apply("userPodsEvictionStatus"), json(status.userPodsEvictionStatus()));
    putTime(json, name, "drainFinishTimestamp", status.drainFinishTimestamp());
    Boolean remediated = status.faultRemediated();
    if (remediated != null) {
      json.put(name.apply("faultRemediated"), remediated);
    }
    putTime(json, name, "lastRemediationTimestamp", status.lastRemediationTimestamp());
    if (!status.spanIds().isEmpty()) {
      ObjectNode spans = json.putObject(name.apply("spanIds"));
      status.spanIds().forEach(spans::put);
    }
    return json;
  }

  /** An empty object if it has no values, as a new event has it. */
  public static ObjectNode json(OperationStatus status) {
    ObjectNode json = Json.object();
    if (!status.equals(OperationStatus.EMPTY)) {
      json.put("status", status.status()).put("message", status.message());
    }
    return json;
  }

  /** A time in the form of documents. */
  public static ObjectNode documentTime(Instant time) {
    return Json.object().put("seconds", time.getEpochSecond()).put("nanos", time.getNano());
  }

  private static void putTime(
      ObjectNode json, UnaryOperator<String> name, String field, @Nullable Instant time) {
    if (time == null) {
      return;
    }
    if (name.apply(field).equals(field)) {
      json.put(field, time.toString());
    } else {
      json.set(name.apply(field), documentTime(time));
    }
  }

  private static void putOverrides(
      ObjectNode json, String name, @Nullable BehaviourOverrides overrides) {
    if (overrides != null) {
      json.putObject(name).put("force", overrides.force()).put("skip", overrides.skip());
    }
  }

  /** Fields of an object by either form of their names. */
  private record Fields(JsonNode json) {
    JsonNode get(String name) {
      JsonNode value = json.path(name);
      return value.isMissingNode() ? json.path(name.toLowerCase(Locale.ROOT)) : value;
    }

    private boolean isAbsent(String name) {
      return get(name).isMissingNode() || get(name).isNull();
    }

    String text(String name) {
      if (isAbsent(name)) {
        return "";
      }
      if (!get(name).isTextual()) {
        throw wrong(name, "a text");
      }
      return get(name).textValue();
    }

    int number(String name) {
      if (isAbsent(name)) {
        return 0;
      }
      if (!get(name).canConvertToInt()) {
        throw wrong(name, "a whole number");
      }
      return get(name).intValue();
    }

    boolean flag(String name) {
      if (isAbsent(name)) {
        return false;
      }
      if (!get(name).isBoolean()) {
        throw wrong(name, "true or false");
      }
      return get(name).booleanValue();
    }

    int numbered(String name, Function<String, Optional<Integer>> names) {
      return get(name).isTextual()
          ? names
              .apply(get(name).textValue())
              .orElseThrow(() -> wrong(name, "a number or a name of the protocol"))
          : number(name);
    }

    /** Numbers are taken, too: error codes look like numbers. */
    List<String> texts(String name) {
      List<String> texts = new ArrayList<>();
      if (!isAbsent(name)) {
        if (!get(name).isArray()) {
          throw wrong(name, "a list of texts");
        }
        for (JsonNode each : get(name)) {
          if (!each.isTextual() && !each.isNumber()) {
            throw wrong(name, "a list of texts");
          }
          texts.add(each.asText());
        }
      }
      return texts;
    }

    List<ImpactedEntity> entities() {
      List<ImpactedEntity> entities = new ArrayList<>();
      if (!isAbsent("entitiesImpacted")) {
        if (!get("entitiesImpacted").isArray()) {
          throw wrong("entitiesImpacted", "a list of objects");
        }
        for (JsonNode each : get("entitiesImpacted")) {
          Fields entity = new Fields(each);
          entities.add(new ImpactedEntity(entity.text("entityType"), entity.text("entityValue")));
        }
      }
      return entities;
    }

    Map<String, String> map(String name) {
      Map<String, String> map = new LinkedHashMap<>();
      if (!isAbsent(name)) {
        if (!get(name).isObject()) {
          throw wrong(name, "an object of texts");
        }
        get(name)
            .properties()
            .forEach(
                entry -> {
                  if (entry.getValue().isContainerNode()) {
                    throw wrong(name, "an object of texts");
                  }
                  map.put(entry.getKey(), entry.getValue().asText());
                });
      }
      return map;
    }

    @Nullable BehaviourOverrides overrides(String name) {
      if (isAbsent(name)) {
        return null;
      }
      Fields overrides = new Fields(get(name));
      return new BehaviourOverrides(overrides.flag("force"), overrides.flag("skip"));
    }

    @Nullable Instant time(String name) {
      JsonNode value = get(name);
      try {
        if (value.isTextual()) {
          return Instant.parse(value.textValue());
        }
        if (value.isObject() && value.has("seconds")) {
          return Instant.ofEpochSecond(
              value.path("seconds").asLong(), value.path("nanos").asLong());
        }
      } catch (DateTimeException | ArithmeticException unreadable) {
        throw wrong(name, "a time such as 2026-01-02T03:04:05Z");
      }
      if (isAbsent(name)) {
        return null;
      }
      throw wrong(name, "a time such as 2026-01-02T03:04:05Z");
    }

    private static IllegalArgumentException wrong(String name, String wanted) {
      return new IllegalArgumentException("%s should be %s".formatted(name, wanted));
    }
  }
}
