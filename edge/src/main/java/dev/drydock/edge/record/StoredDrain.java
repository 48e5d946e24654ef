package dev.drydock.edge.record;

import static dev.drydock.edge.record.EdgeRecords.time;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeDrain;
import dev.drydock.edge.decide.EdgeSettings;
import dev.drydock.edge.decide.NodeDrainRequest;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.edge.record.EdgeRecords.RecordUnreadable;
import dev.drydock.kube.Json;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the agent remembers of a drain until the next boot.
 *
 * @param published the requests that the agent itself has published, and may withdraw
 */
public record StoredDrain(
    EdgeDrain drain, String bootId, Map<DrainRequester, NodeDrainRequest> published) {
  public StoredDrain {
    published = Map.copyOf(published);
  }

  public String write() {
    ObjectNode text = Json.object();
    text.put("bootId", bootId);
    text.put("state", drain.state().name());
    text.put("phase", drain.phase().name());
    text.put("since", drain.since().toString());
    text.put("again", drain.again().toString());
    text.put("tries", drain.tries());
    drain.heldSince().ifPresent(time -> text.put("heldSince", time.toString()));
    text.put("mayBeHeld", drain.mayBeHeld());
    drain.ending().ifPresent(how -> text.put("ending", how.name()));
    text.put("disabled", drain.disabled());
    text.put("toRelease", drain.toRelease());
    text.put("message", drain.message());
    ArrayNode released = text.putArray("released");
    drain.released().stream().sorted().forEach(each -> released.add(each.name()));
    text.putObject("settings")
        .put("drainTimeout", drain.settings().drainTimeout().toString())
        .put("skipTimeout", drain.settings().skipTimeout().toString())
        .put("detectionWindow", drain.settings().detectionWindow().toString());
    write(text.putObject("served"), drain.served());
    write(text.putObject("published"), published);
    return text.toString();
  }

  private static void write(ObjectNode to, Map<DrainRequester, NodeDrainRequest> requests) {
    // in one order, so that equal drains are equal texts
    new TreeMap<>(requests)
        .forEach(
            (by, request) ->
                to.putObject(by.name())
                    .put("at", request.requestedAt().toString())
                    .put("context", request.context()));
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws RecordUnreadable for a text that another version wrote, or a disk has damaged
   */
  public static StoredDrain read(String text) throws RecordUnreadable {
    JsonNode node = EdgeRecords.read(text);
    try {
      JsonNode settings = node.path("settings");
      EdgeDrain drain =
          new EdgeDrain(
              NodeDrainState.valueOf(node.path("state").asText()),
              EdgeDrain.Phase.valueOf(node.path("phase").asText()),
              requests(node.path("served")),
              new EdgeSettings(
                  duration(settings, "drainTimeout"),
                  duration(settings, "skipTimeout"),
                  duration(settings, "detectionWindow")),
              time(node.path("since").asText()),
              time(node.path("again").asText()),
              node.path("tries").asInt(),
              optionalTime(node, "heldSince"),
              node.path("mayBeHeld").asBoolean(),
              released(node.path("released")),
              node.has("ending")
                  ? Optional.of(EdgeDrain.Ending.valueOf(node.path("ending").asText()))
                  : Optional.empty(),
              node.path("disabled").asBoolean(),
              node.path("toRelease").asBoolean(),
              node.path("message").asText(""));
      return new StoredDrain(
          drain, node.path("bootId").asText(""), requests(node.path("published")));
    } catch (IllegalArgumentException | DateTimeException other) {
      throw new RecordUnreadable(String.valueOf(other.getMessage()));
    }
  }

  private static Duration duration(JsonNode node, String field) {
    return Duration.parse(node.path(field).asText());
  }

  private static Optional<Instant> optionalTime(JsonNode node, String field)
      throws RecordUnreadable {
    return node.has(field) ? Optional.of(time(node.path(field).asText())) : Optional.empty();
  }

  private static Set<DrainRequester> released(JsonNode names) {
    Set<DrainRequester> released = EnumSet.noneOf(DrainRequester.class);
    names.forEach(name -> released.add(DrainRequester.valueOf(name.asText())));
    return released;
  }

  private static Map<DrainRequester, NodeDrainRequest> requests(JsonNode node)
      throws RecordUnreadable {
    Map<DrainRequester, NodeDrainRequest> requests = new EnumMap<>(DrainRequester.class);
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      DrainRequester by = DrainRequester.valueOf(entry.getKey());
      requests.put(
          by,
          new NodeDrainRequest(
              time(entry.getValue().path("at").asText()),
              by,
              entry.getValue().path("context").asText("")));
    }
    return requests;
  }
}
