package dev.drydock.sim.json;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** JSON patch (RFC 6902): a sequence of operations, all or none. */
public final class JsonPatch {
  private static final String LAST = "-";

  private JsonPatch() {}

  /** The document after all operations; the given one is not modified. */
  public static JsonNode apply(JsonNode document, JsonNode operations) {
    if (!operations.isArray()) {
      throw new PatchRefused("a JSON patch is a list of operations");
    }
    JsonNode patched = document.deepCopy();
    for (JsonNode operation : operations) {
      patched = applyOne(patched, operation);
    }
    return patched;
  }

  private static JsonNode applyOne(JsonNode document, JsonNode operation) {
    JsonPointer path = pointer(operation, "path");
    return switch (operation.path("op").asText()) {
      case "add" -> add(document, path, value(operation));
      case "replace" -> {
        require(document, path);
        yield path.matches() ? value(operation) : replace(document, path, value(operation));
      }
      case "remove" -> {
        require(document, path);
        yield remove(document, path);
      }
      case "copy" -> add(document, path, require(document, pointer(operation, "from")).deepCopy());
      case "move" -> {
        JsonPointer from = pointer(operation, "from");
        JsonNode moved = require(document, from);
        yield add(remove(document, from), path, moved);
      }
      case "test" -> {
        if (!document.at(path).equals(operation.path("value"))) {
          throw new PatchRefused("testing path " + path + " value failed");
        }
        yield document;
      }
      default -> throw new PatchRefused("unknown operation: " + operation);
    };
  }

  private static JsonNode add(JsonNode document, JsonPointer path, JsonNode value) {
    if (path.matches()) {
      return value;
    }
    switch (document.at(path.head())) {
      case ObjectNode object -> object.set(path.last().getMatchingProperty(), value);
      case ArrayNode list -> list.insert(index(path, list.size()), value);
      default -> throw missing(path);
    }
    return document;
  }

  private static JsonNode replace(JsonNode document, JsonPointer path, JsonNode value) {
    switch (document.at(path.head())) {
      case ObjectNode object -> object.set(path.last().getMatchingProperty(), value);
      case ArrayNode list -> list.set(index(path, list.size() - 1), value);
      default -> throw missing(path);
    }
    return document;
  }

  private static JsonNode remove(JsonNode document, JsonPointer path) {
    switch (document.at(path.head())) {
      case ObjectNode object -> object.remove(path.last().getMatchingProperty());
      case ArrayNode list -> list.remove(index(path, list.size() - 1));
      default -> throw missing(path);
    }
    return document;
  }

  private static int index(JsonPointer path, int greatest) {
    if (path.last().getMatchingProperty().equals(LAST)) {
      return greatest;
    }
    int index = path.last().getMatchingIndex();
    if (index < 0 || index > greatest) {
      throw missing(path);
    }
    return index;
  }

  private static JsonNode require(JsonNode document, JsonPointer path) {
    JsonNode found = document.at(path);
    if (found.isMissingNode()) {
      throw missing(path);
    }
    return found;
  }

  private static JsonNode value(JsonNode operation) {
    if (!operation.has("value")) {
      throw new PatchRefused("operation without a value: " + operation);
    }
    return operation.path("value").deepCopy();
  }

  private static JsonPointer pointer(JsonNode operation, String field) {
    try {
      return JsonPointer.compile(operation.path(field).asText());
    } catch (IllegalArgumentException e) {
      throw new PatchRefused("not a path: " + operation.path(field));
    }
  }

  private static PatchRefused missing(JsonPointer path) {
    return new PatchRefused("the path " + path + " does not exist");
  }
}
