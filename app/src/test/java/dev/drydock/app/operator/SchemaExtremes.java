package dev.drydock.app.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Generates objects at the edges of a definition's schema. Each differs from a valid sample in one
 * field, which is missing, at its minimum or maximum, beyond it, empty, very long, or an odd time.
 */
final class SchemaExtremes {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static final int LONG_TEXT = 70_000;
  private static final int MANY = 5_000;

  /** Deeper than a JSON parser likes, and not too deep for the API server. */
  private static final int DEEP = 2_000;

  /** Stands for a deep object, which the library would refuse to write. */
  private static final String DEEP_MARK = "(deep)";

  private static final List<Long> INTEGERS =
      List.of(-1L, 0L, Integer.MAX_VALUE + 1L, Long.MIN_VALUE, Long.MAX_VALUE);

  private static final List<Double> NUMBERS = List.of(-1.0, 0.0, Double.MAX_VALUE);

  private static final String HOSTILE = "\u001b[2J\r\u202eno\nsuch";

  private static final List<String> TEXTS =
      List.of("", "x".repeat(LONG_TEXT), "a/../b%zz?c#d", "\u001b[2J\r\u202eno\nsuch");

  private static final List<String> TIMES_AND_NUMBERS =
      List.of(
          "2026-01-01T00:00:00,5Z",
          "2026-01-01T00:00:00+99:99",
          "9999-12-31T23:59:59-18:00",
          "0000-01-01T00:00:00Z",
          "1000000h",
          "9999999999999999h",
          "0.0000000001h",
          "10000000000",
          "99999999999999999999%");

  /** Fields whose text is a time, a duration or a number. */
  private static final Pattern PARSED =
      Pattern.compile(
          "(?i).*(time|timestamp|at|since|until|from|to|expires|sla|period|patience|duration|eta"
              + "|maxUnavailable|schedule|values\\[0])");

  /**
   * One object.
   *
   * @param what the field and what is extreme about it
   */
  record Extreme(String what, ObjectNode object) {
    boolean isAbout(String field) {
      return what.startsWith(field + " ") || what.startsWith(field + ".");
    }
  }

  private final JsonNode schema;
  private final List<Extreme> found = new ArrayList<>();
  private final Set<String> seen = new TreeSet<>();
  private ObjectNode sample = NODES.objectNode();

  private SchemaExtremes(JsonNode definition) {
    schema =
        definition.path("spec").path("versions").path(0).path("schema").path("openAPIV3Schema");
  }

  /**
   * All extremes of a definition.
   *
   * @param samples valid objects that together have every field
   * @throws IllegalArgumentException if no sample has a field
   */
  static List<Extreme> of(JsonNode definition, Collection<ObjectNode> samples) {
    SchemaExtremes extremes = new SchemaExtremes(definition);
    for (ObjectNode each : samples) {
      extremes.sample = each;
      extremes.walk("spec");
      extremes.walk("status");
    }
    Set<String> missing = new TreeSet<>(fields(extremes.schema, ""));
    missing.removeAll(extremes.seen);
    missing.remove("status"); // of a kind that has none
    missing.removeIf(
        field -> extremes.seen.contains(field.replace("drainRequest.policy", "builtin.policy")));
    missing.removeIf(field -> !field.startsWith("spec") && !field.startsWith("status"));
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException("no sample has " + missing);
    }
    Map<String, Extreme> byName = new LinkedHashMap<>();
    extremes.found.forEach(each -> byName.putIfAbsent(each.what(), each));
    return List.copyOf(byName.values());
  }

  private static Set<String> fields(JsonNode schema, String path) {
    Set<String> all = new TreeSet<>();
    schema
        .path("properties")
        .properties()
        .forEach(
            field -> {
              String name = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
              all.add(name);
              all.addAll(fields(field.getValue(), name));
              all.addAll(fields(field.getValue().path("items"), name + "[]"));
            });
    return all;
  }

  private void walk(String part) {
    JsonNode value = sample.path(part);
    if (!value.isMissingNode()) {
      field(schema.path("properties").path(part), value, part, part);
    }
  }

  /** A value in an object of a copy of the sample. */
  private interface Place {
    void put(ObjectNode copy, JsonNode value);
  }

  private void field(JsonNode type, JsonNode value, String path, String name) {
    List<String> steps = List.of(path.split("\\.", -1));
    seen.add(path.replaceAll("\\[\\d+]", "[]"));
    Place place = (copy, changed) -> ((ObjectNode) at(copy, steps)).set(name, changed);
    add(path + " missing", copy -> ((ObjectNode) at(copy, steps)).remove(name));
    value(type, value, path, place);
  }

  /** The parent of the last step. */
  private static JsonNode at(JsonNode root, List<String> steps) {
    JsonNode here = root;
    for (String step : steps.subList(0, steps.size() - 1)) {
      int bracket = step.indexOf('[');
      here =
          bracket < 0
              ? here.path(step)
              : here.path(step.substring(0, bracket))
                  .path(Integer.parseInt(step, bracket + 1, step.length() - 1, 10));
    }
    return here;
  }

  private void value(JsonNode type, JsonNode value, String path, Place place) {
    if (type.path("x-kubernetes-int-or-string").asBoolean(false)) {
      integers(type, path, place);
      texts(path, place);
      return;
    }
    switch (type.path("type").asText()) {
      case "integer" -> integers(type, path, place);
      case "number" ->
          NUMBERS.forEach(
              number ->
                  add(path + " " + number, copy -> place.put(copy, NODES.numberNode(number))));
      case "boolean" ->
          add(path + " other", copy -> place.put(copy, NODES.booleanNode(!value.asBoolean())));
      case "array" -> array(type, value, path, place);
      case "object" -> object(type, value, path, place);
      default -> texts(path, place);
    }
  }

  private void integers(JsonNode type, String path, Place place) {
    Set<Long> all = new TreeSet<>(INTEGERS);
    for (String limit : List.of("minimum", "maximum")) {
      if (type.has(limit)) {
        all.add(type.path(limit).asLong());
        all.add(type.path(limit).asLong() + (limit.equals("minimum") ? -1 : 1));
      }
    }
    all.forEach(
        number -> add(path + " " + number, copy -> place.put(copy, NODES.numberNode(number))));
  }

  private void texts(String path, Place place) {
    List<String> texts = new ArrayList<>(path.startsWith("status") ? List.of(HOSTILE) : TEXTS);
    if (PARSED.matcher(path).matches()) {
      texts.addAll(TIMES_AND_NUMBERS);
    }
    for (String text : texts) {
      String shown = text.length() > 40 ? text.length() + " letters" : text;
      add(path + " \"" + shown + "\"", copy -> place.put(copy, NODES.textNode(text)));
    }
  }

  private void array(JsonNode type, JsonNode value, String path, Place place) {
    add(path + " empty", copy -> place.put(copy, NODES.arrayNode()));
    if (value.isEmpty()) {
      return;
    }
    ArrayNode many = NODES.arrayNode();
    for (int i = 0; i < MANY; i++) {
      many.add(value.get(0));
    }
    add(path + " " + MANY + " items", copy -> place.put(copy, many));
    JsonNode items = type.path("items");
    Place first =
        (copy, changed) -> {
          ArrayNode one = NODES.arrayNode();
          one.add(changed);
          place.put(copy, one);
        };
    if (items.has("properties")) {
      properties(items, value.get(0), path + "[0]");
    } else {
      value(items, value.get(0), path + "[0]", first);
    }
  }

  private void object(JsonNode type, JsonNode value, String path, Place place) {
    add(path + " empty", copy -> place.put(copy, NODES.objectNode()));
    if (type.path("x-kubernetes-preserve-unknown-fields").asBoolean(false)) {
      add(path + " deep", copy -> place.put(copy, NODES.textNode(DEEP_MARK)));
      return;
    }
    JsonNode entries = type.path("additionalProperties");
    if (entries.isObject()) {
      Map.Entry<String, JsonNode> entry = value.properties().iterator().next();
      for (String key : List.of("", "x".repeat(MANY), "a/b c%zz")) {
        String shown = key.length() > 40 ? key.length() + " letters" : key;
        add(
            path + " key \"" + shown + "\"",
            copy -> place.put(copy, NODES.objectNode().set(key, entry.getValue())));
      }
      value(
          entries,
          entry.getValue(),
          path + "{}",
          (copy, changed) -> place.put(copy, NODES.objectNode().set(entry.getKey(), changed)));
      return;
    }
    properties(type, value, path);
  }

  private void properties(JsonNode type, JsonNode value, String path) {
    type.path("properties")
        .properties()
        .forEach(
            field -> {
              JsonNode given = value.path(field.getKey());
              if (!given.isMissingNode()) {
                field(field.getValue(), given, path + "." + field.getKey(), field.getKey());
              }
            });
  }

  /** The object as JSON. */
  static String json(ObjectNode object) {
    return object
        .toString()
        .replace("\"" + DEEP_MARK + "\"", "{\"a\":".repeat(DEEP) + "1" + "}".repeat(DEEP));
  }

  private void add(String what, Consumer<ObjectNode> change) {
    ObjectNode copy = sample.deepCopy();
    change.accept(copy);
    found.add(new Extreme(what, copy));
  }
}
