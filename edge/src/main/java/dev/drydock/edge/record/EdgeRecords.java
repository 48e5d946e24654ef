package dev.drydock.edge.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.edge.decide.ClusterConfig;
import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.ForcedStatus;
import dev.drydock.edge.decide.NodeDrainRequest;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.edge.decide.NodeDrainStatus;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;

/** EVE's records as JSON, with the names and numbers that its other programs use. */
public final class EdgeRecords {
  private EdgeRecords() {}

  /** A text that is not the record that it should be. */
  public static final class RecordUnreadable extends IOException {
    private static final long serialVersionUID = 1L;

    RecordUnreadable(String why) {
      super(why);
    }
  }

  public static String write(NodeDrainRequest request) {
    return Json.object()
        .put("RequestedAt", request.requestedAt().toString())
        .put("RequestedBy", request.requestedBy().number())
        .put("Context", request.context())
        .toString();
  }

  /** Of the requester that has its own file: what the record says about that does not matter. */
  public static NodeDrainRequest request(String text, DrainRequester requester)
      throws RecordUnreadable {
    JsonNode record = read(text);
    return new NodeDrainRequest(
        time(record.path("RequestedAt").asText("")), requester, record.path("Context").asText(""));
  }

  public static String write(NodeDrainStatus status) {
    return Json.object()
        .put("Status", status.state().number())
        .put("RequestedBy", status.requestedBy().number())
        .toString();
  }

  public static NodeDrainStatus status(String text) throws RecordUnreadable {
    ForcedStatus read = forced(text);
    return new NodeDrainStatus(read.state(), read.requestedBy());
  }

  public static ForcedStatus forced(String text) throws RecordUnreadable {
    JsonNode record = read(text);
    int state = number(record, "Status");
    int requester = number(record, "RequestedBy");
    return new ForcedStatus(
        NodeDrainState.of(state)
            .orElseThrow(
                () -> new RecordUnreadable("Status %d is not one of 0 to 9".formatted(state))),
        DrainRequester.of(requester)
            .orElseThrow(
                () ->
                    new RecordUnreadable("RequestedBy %d is not 1, 2 or 3".formatted(requester))));
  }

  public static ClusterConfig clusterConfig(String text) throws RecordUnreadable {
    JsonNode record = read(text);
    return new ClusterConfig(
        record.path("Initialized").asBoolean(false),
        record.path("Valid").asBoolean(false),
        id(record.path("TieBreakerNodeID")));
  }

  /** An id is a text, or an object around one. */
  private static String id(JsonNode id) {
    return id.isObject() ? id.path("UUID").asText("") : id.asText("");
  }

  /**
   * Numbers and texts by the name of the setting, as EVE publishes them and as our file has them.
   */
  public static Map<String, String> settings(String text) throws RecordUnreadable {
    JsonNode record = read(text);
    JsonNode settings = record.has("GlobalSettings") ? record.path("GlobalSettings") : record;
    Map<String, String> values = new HashMap<>();
    settings
        .properties()
        .forEach(
            setting -> {
              JsonNode value = setting.getValue();
              if (value.isObject()) {
                String said = value.path("StrValue").asText("");
                values.put(
                    setting.getKey(), said.isEmpty() ? value.path("IntValue").asText("") : said);
              } else {
                values.put(setting.getKey(), value.asText(""));
              }
            });
    return values;
  }

  /** Those that are numbers. */
  public static Map<String, Long> numbers(Map<String, String> settings) {
    Map<String, Long> numbers = new HashMap<>();
    settings.forEach(
        (name, text) -> {
          if (text.matches("\\d{1,18}")) {
            numbers.put(name, Long.valueOf(text));
          }
        });
    return numbers;
  }

  /**
   * NodeAgentStatus, as far as anybody waits for it.
   *
   * @param waits whether an operation has to wait for the drain
   */
  public static String nodeAgentStatus(
      boolean waits, boolean reboots, boolean shutsDown, boolean powersOff, boolean updates) {
    ObjectNode record = Json.object();
    record.put("Name", "nodeagent");
    record.put("UpdateInprogress", updates);
    record.put("DeviceReboot", reboots);
    record.put("DeviceShutdown", shutsDown);
    record.put("DevicePoweroff", powersOff);
    record.put("AllDomainsHalted", false);
    record.put("HVTypeKube", true);
    record.put("WaitDrainInProgress", waits);
    return record.toString();
  }

  public static JsonNode read(String text) throws RecordUnreadable {
    try {
      JsonNode record = Json.read(text);
      if (!record.isObject()) {
        throw new RecordUnreadable("it is not a JSON object");
      }
      return record;
    } catch (RecordUnreadable unreadable) {
      throw unreadable;
    } catch (IOException malformed) {
      throw new RecordUnreadable(
          "it is not JSON: "
              + String.valueOf(malformed.getMessage()).lines().findFirst().orElse(""));
    }
  }

  private static int number(JsonNode record, String field) throws RecordUnreadable {
    JsonNode number = record.path(field);
    if (!number.isIntegralNumber() || !number.canConvertToInt()) {
      throw new RecordUnreadable(field + " is not a number");
    }
    return number.intValue();
  }

  static Instant time(String text) throws RecordUnreadable {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException malformed) {
      throw new RecordUnreadable("\"" + text + "\" is not a time");
    }
  }
}
