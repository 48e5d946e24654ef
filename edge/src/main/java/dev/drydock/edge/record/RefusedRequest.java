package dev.drydock.edge.record;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.edge.record.EdgeRecords.RecordUnreadable;
import dev.drydock.kube.Json;

/**
 * A request that the agent has refused, for {@code drydock edge status} and for the command that
 * asked.
 *
 * @param requestedAt as the request says; empty if it could not be read
 * @param line what was refused and why
 */
public record RefusedRequest(String requestedAt, String line) {
  public String write() {
    return Json.object().put("requestedAt", requestedAt).put("line", line).toString();
  }

  public static RefusedRequest read(String text) throws RecordUnreadable {
    JsonNode node = EdgeRecords.read(text);
    return new RefusedRequest(node.path("requestedAt").asText(""), node.path("line").asText(""));
  }
}
