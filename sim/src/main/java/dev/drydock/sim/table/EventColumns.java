package dev.drydock.sim.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.drydock.sim.json.JsonTrees;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The columns of Events, in either API group. */
final class EventColumns {
  static final List<Column> ALL =
      List.of(
          new Column("Last Seen", "string", "", 0, EventColumns::lastSeen),
          Column.at("Type", "type"),
          Column.at("Reason", "reason"),
          Column.of("Object", EventColumns::target),
          Column.of("Subobject", event -> JsonTrees.text(about(event), "fieldPath")).wide(),
          Column.of("Source", EventColumns::source).wide(),
          Column.of("Message", event -> first(event, "message", "note").asText().strip()),
          new Column("First Seen", "string", "", 1, EventColumns::firstSeen),
          Column.of("Count", EventColumns::count).wide(),
          new Column("Name", "string", "name", 1, Column.NAME.cell()));

  private EventColumns() {}

  private static JsonNode lastSeen(JsonNode event, Instant now) {
    JsonNode time =
        event.has("series")
            ? JsonTrees.at(event, "series", "lastObservedTime")
            : first(event, "lastTimestamp", "deprecatedLastTimestamp");
    return time.isTextual() ? Column.text(AgeColumn.since(time, now)) : firstSeen(event, now);
  }

  private static JsonNode firstSeen(JsonNode event, Instant now) {
    JsonNode time = first(event, "firstTimestamp", "deprecatedFirstTimestamp", "eventTime");
    return Column.text(AgeColumn.since(time, now));
  }

  private static String target(JsonNode event) {
    String kind = BuiltInColumns.lowerCase(JsonTrees.text(about(event), "kind"));
    String name = JsonTrees.text(about(event), "name");
    return name.isEmpty() ? kind : kind + "/" + name;
  }

  private static String source(JsonNode event) {
    JsonNode source = first(event, "source", "deprecatedSource");
    String component = JsonTrees.text(source, "component");
    if (component.isEmpty()) {
      component = first(event, "reportingComponent", "reportingController").asText();
    }
    String host = JsonTrees.text(source, "host");
    return Stream.of(component, host.isEmpty() ? JsonTrees.text(event, "reportingInstance") : host)
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(", "));
  }

  private static String count(JsonNode event) {
    JsonNode count =
        event.has("series")
            ? JsonTrees.at(event, "series", "count")
            : first(event, "count", "deprecatedCount");
    return Integer.toString(Math.max(1, count.asInt()));
  }

  private static JsonNode about(JsonNode event) {
    return first(event, "involvedObject", "regarding");
  }

  private static JsonNode first(JsonNode event, String... fields) {
    return Stream.of(fields)
        .map(event::path)
        .filter(JsonTrees::isPresent)
        .findFirst()
        .orElse(MissingNode.getInstance());
  }
}
