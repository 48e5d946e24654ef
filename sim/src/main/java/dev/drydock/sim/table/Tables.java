package dev.drydock.sim.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.json.JsonTrees;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/** Converts objects to tables with the columns of their type. */
public final class Tables {
  /** How much of each object is included in its row. */
  public enum Included {
    NOTHING,
    METADATA,
    OBJECT
  }

  private final List<Column> columns;
  private final Included included;
  private final Clock clock;
  private final ResourceType type;

  public Tables(ResourceType type, Included included, Clock clock) {
    this.type = type;
    this.columns =
        type.rules().isCustom()
            ? CustomColumns.of(type.rules().printerColumns())
            : BuiltInColumns.of(type.names().kind());
    this.included = included;
    this.clock = clock;
  }

  /**
   * Checks that the printer columns of a custom resource are supported.
   *
   * @throws IllegalArgumentException if not
   */
  public static void check(JsonNode printerColumns) {
    CustomColumns.of(printerColumns);
  }

  /** A table of objects, with the metadata of their list or of the single object. */
  public ObjectNode of(Iterable<JsonNode> objects, JsonNode listMetadata, boolean withHeader) {
    ObjectNode table = JsonTrees.object().put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
    ObjectNode metadata = table.putObject("metadata");
    for (String field : List.of("resourceVersion", "continue", "remainingItemCount")) {
      JsonTrees.copy(metadata, field, listMetadata.path(field));
    }
    ArrayNode definitions = table.putArray("columnDefinitions");
    if (withHeader) {
      columns.forEach(column -> definitions.add(column.definition()));
    }
    ArrayNode rows = table.putArray("rows");
    Instant now = clock.instant();
    objects.forEach(object -> rows.add(row(object, now)));
    return table;
  }

  private ObjectNode row(JsonNode object, Instant now) {
    ObjectNode row = JsonTrees.object();
    ArrayNode cells = row.putArray("cells");
    columns.forEach(column -> cells.add(column.cell().of(object, now)));
    switch (included) {
      case NOTHING -> {}
      case METADATA -> row.set("object", metadataOf(object));
      case OBJECT -> row.set("object", whole(object));
    }
    return row;
  }

  /** In a list, only the list may have apiVersion and kind. */
  private ObjectNode whole(JsonNode object) {
    ObjectNode whole = JsonTrees.object().put("kind", type.names().kind());
    return whole.put("apiVersion", type.apiVersion()).setAll((ObjectNode) object);
  }

  /** Only the object's metadata. */
  public static ObjectNode metadataOf(JsonNode object) {
    ObjectNode partial = JsonTrees.object().put("kind", "PartialObjectMetadata");
    partial.put("apiVersion", "meta.k8s.io/v1").set("metadata", object.path("metadata"));
    return partial;
  }
}
