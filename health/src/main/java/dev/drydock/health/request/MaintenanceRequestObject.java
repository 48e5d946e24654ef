package dev.drydock.health.request;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.contracts.nvsentinel.MaintenanceRequest;
import dev.drydock.health.connector.decide.BatchCheck;
import dev.drydock.health.connector.decide.Refusal;
import dev.drydock.health.event.EventJson;
import dev.drydock.health.event.SpanId;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Versioned;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A MaintenanceRequest as it was read.
 *
 * @param event of one that cannot be served, only what its end needs
 * @param problem why it cannot be served, if so
 */
record MaintenanceRequestObject(ApiObject object, HealthEvent event, Optional<String> problem)
    implements Versioned {
  static final Resource RESOURCE =
      Resource.cluster(
          MaintenanceRequest.GROUP,
          MaintenanceRequest.VERSION,
          MaintenanceRequest.PLURAL,
          MaintenanceRequest.KIND);

  private static final int TRACE_BYTES = 16;

  /** Reads one, however large: one that could not be read would never be ended. */
  static MaintenanceRequestObject read(JsonNode json) {
    ApiObject object = ApiObject.bounded(json, List.of());
    JsonNode said = json.path("spec").path("healthEvent");
    if (object.problem().isPresent()) {
      return new MaintenanceRequestObject(object, identity(said), object.problem());
    }
    HealthEvent event = EventJson.event(said);
    return new MaintenanceRequestObject(
        object, event, BatchCheck.refusal(List.of(event)).map(Refusal::message));
  }

  private static HealthEvent identity(JsonNode event) {
    return HealthEvent.builder()
        .version(event.path("version").asInt(0))
        .agent(Fields.name(event, "agent"))
        .componentClass(Fields.name(event, "componentClass"))
        .checkName(Fields.name(event, "checkName"))
        .nodeName(Fields.name(event, "nodeName"))
        .build();
  }

  @Override
  public String uid() {
    return object.uid();
  }

  @Override
  public String version() {
    return object.version();
  }

  String name() {
    return object.name();
  }

  String node() {
    return event.nodeName();
  }

  String reason() {
    return object
        .conditions()
        .get(MaintenanceRequest.EMITTED_CONDITION)
        .map(condition -> text(condition, "reason"))
        .orElse("");
  }

  boolean isEmitted() {
    return object.conditions().isTrue(MaintenanceRequest.EMITTED_CONDITION);
  }

  /** The event as the requester wrote it, completed. It is the same each time. */
  HealthEvent opening() {
    HealthEvent.Builder opening = named(event.toBuilder(), "he-mr-" + uid());
    if (!event.id().isEmpty()) {
      opening.id(event.id());
    }
    return event.generatedTimestamp() == null
        ? opening.generatedTimestamp(object.created()).build()
        : opening.build();
  }

  /** Ends what the opening event began. */
  HealthEvent clearing(Instant now) {
    return named(HealthEvent.builder(), "he-mr-clear-" + uid())
        .version(event.version())
        .agent(event.agent())
        .componentClass(event.componentClass())
        .checkName(event.checkName())
        .nodeName(node())
        .isHealthy(true)
        .recommendedAction(RecommendedAction.NONE)
        .message("MaintenanceRequest %s cleared.".formatted(name()))
        .processingStrategy(event.processingStrategy())
        .generatedTimestamp(now)
        .build();
  }

  private HealthEvent.Builder named(HealthEvent.Builder builder, String id) {
    builder
        .id(id)
        .metadata(HealthNames.IDEMPOTENCY_KEY, id)
        .metadata(HealthNames.MAINTENANCE_REQUEST_NAME, name())
        .metadata(HealthNames.MAINTENANCE_REQUEST_UID, uid());
    return event.metadata().containsKey(HealthNames.TRACE_ID)
        ? builder.metadata(HealthNames.TRACE_ID, event.metadata().get(HealthNames.TRACE_ID))
        : builder.metadata(HealthNames.TRACE_ID, SpanId.digest(uid(), TRACE_BYTES));
  }
}
