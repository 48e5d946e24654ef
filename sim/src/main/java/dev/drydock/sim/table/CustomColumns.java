package dev.drydock.sim.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.drydock.sim.json.JsonTrees;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The printer columns of a CRD. */
final class CustomColumns {
  private CustomColumns() {}

  static List<Column> of(JsonNode printerColumns) {
    List<Column> columns = new ArrayList<>(List.of(Column.NAME));
    for (JsonNode asked : printerColumns) {
      String type = JsonTrees.text(asked, "type");
      JsonPath path = JsonPath.parse(JsonTrees.text(asked, "jsonPath"));
      columns.add(
          new Column(
              JsonTrees.text(asked, "name"),
              type,
              JsonTrees.text(asked, "format"),
              asked.path("priority").asInt(),
              (object, now) -> shown(path, type, object, now)));
    }
    if (printerColumns.isEmpty()) {
      columns.add(
          new Column("Age", "date", "", 0, (object, now) -> Column.AGE.cell().of(object, now)));
    }
    return columns;
  }

  private static JsonNode shown(JsonPath path, String type, JsonNode object, Instant now) {
    JsonNode value = path.in(object).findFirst().orElse(NullNode.getInstance());
    if (value.isNull()) {
      return value;
    }
    return switch (type) {
      case "integer" ->
          value.isNumber() ? JsonTrees.number(value.asLong()) : NullNode.getInstance();
      case "number" -> value.isNumber() ? value : NullNode.getInstance();
      case "boolean" -> value.isBoolean() ? value : NullNode.getInstance();
      case "date" -> Column.text(AgeColumn.since(value, now));
      default -> Column.text(value.isTextual() ? value.asText() : value.toString());
    };
  }
}
