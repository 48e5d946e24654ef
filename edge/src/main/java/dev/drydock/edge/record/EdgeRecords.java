package dev.drydock.edge.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.FirstLine;
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
import java.util.Optional;

/** EVE's records as JSON, with the names and numbers that its other programs use. */
public final class EdgeRecords {
  /** EVE's programs ignore names that they do not know. */
  private static final String PUBLISHED_BY = "PublishedBy";

  private static final String US = "drydock";

  private EdgeRecords() {}

  /** A text that is not the record that it should be. */
  public static final class RecordUnreadable extends IOException {
    private static final long serialVersionUID = 1L;

    public RecordUnreadable(String why) {
      super(why);
    }

    @Override
    public String getMessage() {
      return String.valueOf(super.getMessage());
    }
  }

  public static String write(NodeDrainRequest request) {
    return Json.object()
        .put("RequestedAt", request.requestedAt().toString())
        .put("RequestedBy", request.requestedBy().number())
        .put("Context", request.context())
        .toString();
  }

  /**
   * The request in the file of a requester; what the record says about its requester does not
   * matter.
   */
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

  /** The settings that are numbers. */
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

  /** The last command of a controller. */
  public static String counter(long number, Instant time) {
    return Json.object()
        .put("Counter", number)
        .put("DesiredState", true)
        .put("OpsTime", time.toString())
        .toString();
  }

  /** A record that cannot be read counts as missing. */
  public static Optional<Long> counter(String text) {
    try {
      JsonNode number = read(text).path("Counter");
      return number.isIntegralNumber() ? Optional.of(number.longValue()) : Optional.empty();
    } catch (RecordUnreadable damaged) {
      return Optional.empty();
    }
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
    record.put(PUBLISHED_BY, US);
    return record.toString();
  }

  /** Whether a record says that we have published it, and not the program that usually does. */
  public static boolean isOurs(String text) {
    try {
      return read(text).path(PUBLISHED_BY).asText("").equals(US);
    } catch (RecordUnreadable damaged) {
      return false;
    }
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
      throw new RecordUnreadable("it is not JSON: " + FirstLine.of(malformed));
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
