package dev.drydock.health.drainer;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.ShortText;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A node's last drain, as it is kept on the Node.
 *
 * @param episode of the quarantine
 * @param event that it is for
 * @param by who drains, for people
 * @param pods those that had to go when it began, as namespace/name; the first of them, if there
 *     are many
 * @param waits what it waits for, a line each
 * @param ended when it came to its end
 * @param outcome how it ended; empty while it runs
 * @param message about the outcome
 */
public record NodeDrainRecord(
    String episode,
    String event,
    String by,
    Instant since,
    List<String> pods,
    List<String> waits,
    Optional<Instant> ended,
    String outcome,
    String message) {
  private static final int MOST_PODS = 50;
  private static final int MOST_WAITS = 10;
  private static final int LONGEST = 500;

  public NodeDrainRecord {
    pods = pods.stream().limit(MOST_PODS).toList();
    waits = waits.stream().limit(MOST_WAITS).map(each -> ShortText.of(each, LONGEST)).toList();
    message = ShortText.of(message, LONGEST);
  }

  public static NodeDrainRecord begun(
      String episode, String event, String by, Instant since, List<String> pods) {
    return new NodeDrainRecord(
        episode, event, by, since, pods, List.of(), Optional.empty(), "", "");
  }

  NodeDrainRecord waiting(List<String> lines) {
    return new NodeDrainRecord(episode, event, by, since, pods, lines, ended, outcome, message);
  }

  NodeDrainRecord ended(Instant at, String how, String why) {
    return new NodeDrainRecord(
        episode, event, by, since, pods, List.of(), Optional.of(at), how, why);
  }

  /** Empty if nobody wrote one, or somebody else did. */
  public static Optional<NodeDrainRecord> read(String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      JsonNode record = Json.read(text);
      return Optional.of(
          new NodeDrainRecord(
              text(record, "episode"),
              text(record, "event"),
              text(record, "by"),
              Fields.time(record, "since"),
              Fields.list(record.path("pods")),
              Fields.list(record.path("waits")),
              record.has("ended") ? Optional.of(Fields.time(record, "ended")) : Optional.empty(),
              text(record, "outcome"),
              text(record, "message")));
    } catch (IOException | DateTimeException malformed) {
      return Optional.empty();
    }
  }

  String write() {
    ObjectNode record = Json.object();
    record.put("episode", episode).put("event", event).put("by", by);
    record.put("since", since.toString());
    put(record, "pods", pods);
    put(record, "waits", waits);
    ended.ifPresent(time -> record.put("ended", time.toString()));
    if (!outcome.isEmpty()) {
      record.put("outcome", outcome).put("message", message);
    }
    return record.toString();
  }

  private static void put(ObjectNode record, String key, List<String> texts) {
    if (!texts.isEmpty()) {
      ArrayNode array = record.putArray(key);
      texts.forEach(array::add);
    }
  }
}
