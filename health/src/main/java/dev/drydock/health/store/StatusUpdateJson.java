package dev.drydock.health.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.health.OperationStatus;
import dev.drydock.health.event.EventJson;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Updates as text, by the paths of their fields. */
public final class StatusUpdateJson {
  private static final String SPAN = StatusField.SPAN_IDS.path() + ".";

  private StatusUpdateJson() {}

  public static String write(StatusUpdate update) {
    ObjectNode json = Json.object();
    update
        .values()
        .forEach(
            (field, value) -> {
              switch (value) {
                case OperationStatus status -> json.set(field.path(), EventJson.json(status));
                case Boolean flag -> json.put(field.path(), flag);
                default -> json.put(field.path(), value.toString());
              }
            });
    update.spanIds().forEach((service, span) -> json.put(SPAN + service, span));
    return json.toString();
  }

  /** Fields that are not known are left out. */
  public static StatusUpdate read(String text) throws IOException {
    Map<StatusField, Object> values = new LinkedHashMap<>();
    Map<String, String> spans = new LinkedHashMap<>();
    Json.read(text)
        .properties()
        .forEach(
            entry -> {
              String path = entry.getKey();
              if (path.startsWith(SPAN)) {
                spans.put(path.substring(SPAN.length()), entry.getValue().asText());
                return;
              }
              StatusField.find(path)
                  .ifPresent(
                      field ->
                          value(field, entry.getValue())
                              .ifPresent(value -> values.put(field, value)));
            });
    return new StatusUpdate(values, spans);
  }

  private static Optional<Object> value(StatusField field, JsonNode value) {
    return switch (field) {
      case USER_PODS_EVICTION_STATUS ->
          Optional.of(
              new OperationStatus(
                  value.path("status").asText(""), value.path("message").asText("")));
      case FAULT_REMEDIATED -> Optional.of(value.asBoolean());
      case QUARANTINE_FINISH_TIMESTAMP, DRAIN_FINISH_TIMESTAMP, LAST_REMEDIATION_TIMESTAMP ->
          Optional.of(Instant.parse(value.asText()));
      case SPAN_IDS -> Optional.empty();
      default -> Optional.of(value.asText());
    };
  }
}
