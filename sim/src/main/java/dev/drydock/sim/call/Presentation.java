package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.table.Tables;
import dev.drydock.sim.table.Tables.Included;
import java.time.Clock;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The requested representation of objects: complete, as a table, or only metadata. */
final class Presentation {
  private static final Pattern FORM = Pattern.compile("as=(\\w+)");
  private static final List<String> PARTIAL =
      List.of("PartialObjectMetadata", "PartialObjectMetadataList");

  private final ResourceType type;
  private final String form;

  /** Created only if needed: few of many calls ask for tables. */
  private final @Nullable Tables tables;

  private boolean hasHeader;

  private Presentation(ResourceType type, String form, @Nullable Tables tables) {
    this.type = type;
    this.form = form;
    this.tables = tables;
  }

  /** Uses the first type in the Accept header; this server supports them all. */
  static Presentation of(ApiRequest request, ResourceType type, Clock clock) {
    String accepted = request.accept();
    if (!accepted.contains("as=")) {
      return new Presentation(type, "", null);
    }
    Matcher as = FORM.matcher(accepted.split(",", 2)[0]);
    String form = as.find() ? as.group(1) : "";
    if (!form.isEmpty() && !form.equals("Table") && !PARTIAL.contains(form)) {
      throw new StatusException(
          406, "NotAcceptable", "only the following media types are accepted: application/json");
    }
    return new Presentation(
        type, form, form.equals("Table") ? new Tables(type, included(request), clock) : null);
  }

  private static Included included(ApiRequest request) {
    return switch (request.parameter("includeObject")) {
      case "", "Metadata" -> Included.METADATA;
      case "None" -> Included.NOTHING;
      case "Object" -> Included.OBJECT;
      default ->
          throw StatusException.badRequest(
              "unrecognized includeObject value: \"%s\""
                  .formatted(request.parameter("includeObject")));
    };
  }

  /** Converts an object or list; leaves anything else unchanged. */
  JsonNode show(JsonNode body) {
    String kind = JsonTrees.text(body, "kind");
    boolean list = kind.equals(type.names().listKind());
    if (form.isEmpty() || (!list && !kind.equals(type.names().kind()))) {
      return body;
    }
    Iterable<JsonNode> objects = list ? body.path("items") : List.of(body);
    if (tables != null) {
      return tables.of(objects, body.path("metadata"), true);
    }
    return list ? metadataList(body) : Tables.metadataOf(body);
  }

  private static ObjectNode metadataList(JsonNode list) {
    ObjectNode partial = JsonTrees.object().put("kind", "PartialObjectMetadataList");
    partial.put("apiVersion", "meta.k8s.io/v1").set("metadata", list.path("metadata"));
    ArrayNode items = partial.putArray("items");
    list.path("items").forEach(item -> items.add(Tables.metadataOf(item)));
    return partial;
  }

  /** An object of a watch: only the first one includes the column definitions. */
  JsonNode showNext(JsonNode object) {
    if (tables == null) {
      return form.isEmpty() ? object : Tables.metadataOf(object);
    }
    JsonNode table = tables.of(List.of(object), object.path("metadata"), !hasHeader);
    hasHeader = true;
    return table;
  }
}
