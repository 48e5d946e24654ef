package dev.drydock.health.template;

import dev.drydock.contracts.health.BehaviourOverrides;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.ImpactedEntity;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A health event as templates see it: fields by the names that Go's generated classes give them,
 * and their getters.
 */
public final class HealthEventRecord {
  private HealthEventRecord() {}

  public static TemplateRecord of(HealthEvent event) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("Version", event.version());
    fields.put("Agent", event.agent());
    fields.put("ComponentClass", event.componentClass());
    fields.put("CheckName", event.checkName());
    fields.put("IsFatal", event.isFatal());
    fields.put("IsHealthy", event.isHealthy());
    fields.put("Message", event.message());
    fields.put(
        "RecommendedAction",
        new TemplateEnum(event.recommendedAction().number(), event.recommendedAction().name()));
    fields.put("ErrorCode", event.errorCode());
    fields.put(
        "EntitiesImpacted",
        event.entitiesImpacted().stream().map(HealthEventRecord::entity).toList());
    fields.put("Metadata", new TemplateMap(event.metadata(), ""));
    fields.put("GeneratedTimestamp", timestamp(event.generatedTimestamp()));
    fields.put("NodeName", event.nodeName());
    fields.put("QuarantineOverrides", overrides(event.quarantineOverrides()));
    fields.put("DrainOverrides", overrides(event.drainOverrides()));
    fields.put(
        "ProcessingStrategy",
        new TemplateEnum(event.processingStrategy().number(), event.processingStrategy().name()));
    fields.put("Id", event.id());
    fields.put("CustomRecommendedAction", event.customRecommendedAction());
    return new TemplateRecord("HealthEvent", fields);
  }

  private static TemplateStruct entity(ImpactedEntity entity) {
    return new TemplateRecord(
        "Entity", Map.of("EntityType", entity.entityType(), "EntityValue", entity.entityValue()));
  }

  private static Object overrides(@Nullable BehaviourOverrides overrides) {
    return overrides == null
        ? TemplateValues.NIL
        : new TemplateRecord(
            "BehaviourOverrides", Map.of("Force", overrides.force(), "Skip", overrides.skip()));
  }

  private static Object timestamp(@Nullable Instant time) {
    return time == null
        ? TemplateValues.NIL
        : new TemplateRecord(
            "Timestamp", Map.of("Seconds", time.getEpochSecond(), "Nanos", time.getNano()));
  }
}
