package dev.drydock.sim.fields;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fields in which two versions of an object differ. */
record Differences(FieldSet added, FieldSet modified, FieldSet removed) {
  static Differences between(JsonNode before, JsonNode after, Schema schema) {
    Differences found = new Differences(new FieldSet(), new FieldSet(), new FieldSet());
    found.compare(before, after, schema, List.of());
    return found;
  }

  /** The fields that a configuration sets. */
  static FieldSet named(JsonNode configuration, Schema schema) {
    FieldSet named = new FieldSet();
    name(configuration, schema, List.of(), named);
    return named;
  }

  FieldSet written() {
    return added.union(modified);
  }

  private void compare(
      @Nullable JsonNode before, @Nullable JsonNode after, Schema schema, List<String> path) {
    boolean differentKinds =
        before != null && after != null && before.getNodeType() != after.getNodeType();
    JsonNode shape = after == null || after.isEmpty() ? before : after;
    if (shape == null || shape.isEmpty() || differentKinds || !Elements.hasParts(shape, schema)) {
      if (before != null && after != null && !before.equals(after)) {
        modified.insert(path);
      }
    } else {
      compareParts(before, after, schema, path);
    }
    if (before == null) {
      added.insert(path);
    } else if (after == null) {
      removed.insert(path);
    }
  }

  private void compareParts(
      @Nullable JsonNode before, @Nullable JsonNode after, Schema schema, List<String> path) {
    Map<String, JsonNode> old = before == null ? Map.of() : Elements.parts(before, schema);
    Map<String, JsonNode> now = after == null ? Map.of() : Elements.parts(after, schema);
    Set<String> steps = new LinkedHashSet<>(old.keySet());
    steps.addAll(now.keySet());
    for (String step : steps) {
      Schema part = Elements.schemaOf(step, schema);
      compare(old.get(step), now.get(step), part, below(path, step));
    }
  }

  private static void name(JsonNode value, Schema schema, List<String> path, FieldSet named) {
    if (!Elements.hasParts(value, schema)) {
      named.insert(path);
      return;
    }
    for (Map.Entry<String, JsonNode> part : Elements.parts(value, schema).entrySet()) {
      String step = part.getKey();
      List<String> below = below(path, step);
      name(part.getValue(), Elements.schemaOf(step, schema), below, named);
      boolean declared = step.startsWith("f:") && schema.declares(step.substring(2));
      boolean nothingBelow = part.getValue().isObject() && part.getValue().isEmpty();
      if (!declared || nothingBelow) {
        named.insert(below);
      }
    }
  }

  private static List<String> below(List<String> path, String step) {
    List<String> below = new ArrayList<>(path);
    below.add(step);
    return below;
  }
}
