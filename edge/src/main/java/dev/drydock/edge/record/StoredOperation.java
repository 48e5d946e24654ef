package dev.drydock.edge.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.edge.decide.DeferredOperation;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.RequestAsker;
import dev.drydock.edge.record.EdgeRecords.RecordUnreadable;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Operations that wait, as JSON. */
public final class StoredOperation {
  private StoredOperation() {}

  public static String write(DeferredOperation operation) {
    return json(operation).toString();
  }

  /** A request that no agent has taken yet, with who makes it. */
  public static String write(DeferredOperation operation, RequestAsker asker) {
    ObjectNode text = json(operation);
    text.putObject("asker")
        .put("pid", asker.pid())
        .put("started", asker.started())
        .put("namespace", asker.namespace())
        .put("uptime", asker.uptime().toString())
        .put("waits", asker.waits().toString());
    return text.toString();
  }

  /** Who makes the request; empty if it does not say so. */
  public static Optional<RequestAsker> asker(String text) throws RecordUnreadable {
    JsonNode asker = EdgeRecords.read(text).path("asker");
    if (!asker.isObject()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new RequestAsker(
              asker.path("pid").asLong(),
              asker.path("started").asLong(),
              asker.path("namespace").asText(""),
              Duration.parse(asker.path("uptime").asText("")),
              Duration.parse(asker.path("waits").asText(""))));
    } catch (DateTimeParseException other) {
      throw new RecordUnreadable(String.valueOf(other.getMessage()));
    }
  }

  private static ObjectNode json(DeferredOperation operation) {
    ObjectNode text = Json.object();
    text.put("operation", operation.operation().word());
    text.put("state", operation.state().name());
    text.put("requestedAt", operation.requestedAt().toString());
    text.put("bootId", operation.bootId());
    text.put("context", operation.context());
    ArrayNode command = text.putArray("command");
    operation.command().forEach(command::add);
    text.put("message", operation.message());
    return text;
  }

  public static DeferredOperation read(String text) throws RecordUnreadable {
    JsonNode node = EdgeRecords.read(text);
    String word = node.path("operation").asText("");
    try {
      return new DeferredOperation(
          EdgeOperation.ofWord(word)
              .orElseThrow(() -> new RecordUnreadable("\"" + word + "\" is no operation")),
          DeferredOperation.State.valueOf(node.path("state").asText("")),
          EdgeRecords.time(node.path("requestedAt").asText("")),
          node.path("bootId").asText(""),
          node.path("context").asText(""),
          Fields.list(node.path("command")),
          node.path("message").asText(""));
    } catch (IllegalArgumentException other) {
      throw new RecordUnreadable(String.valueOf(other.getMessage()));
    }
  }
}
