package dev.drydock.sim.table;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.json.JsonTrees;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The JSON paths of printer columns: fields, indexes, all elements, and filters by a field's value.
 */
final class JsonPath {
  private static final Pattern STEP =
      Pattern.compile(
          "\\.((?:[^.\\[\\\\]|\\\\.)+)"
              + "|\\['([^']+)']"
              + "|\\[(\\d+|\\*)]"
              + "|\\[\\?\\(@\\.([\\w.]+)\\s*==\\s*[\"']([^\"']*)[\"']\\)]");

  private final List<Function<JsonNode, Stream<JsonNode>>> steps = new ArrayList<>();

  private JsonPath() {}

  /** Throws for unsupported paths. */
  static JsonPath parse(String path) {
    JsonPath parsed = new JsonPath();
    Matcher matcher = STEP.matcher(path);
    int end = 0;
    while (matcher.find() && matcher.start() == end) {
      parsed.steps.add(step(matcher));
      end = matcher.end();
    }
    if (end != path.length() || path.isEmpty()) {
      throw new IllegalArgumentException("unsupported path: " + path);
    }
    return parsed;
  }

  private static Function<JsonNode, Stream<JsonNode>> step(Matcher matcher) {
    String field = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
    if (field != null) {
      String name = field.replaceAll("\\\\(.)", "$1");
      return node -> Stream.of(node.path(name));
    }
    String index = matcher.group(3);
    if (index != null) {
      return index.equals("*")
          ? JsonNode::valueStream
          : node -> Stream.of(node.path(Integer.parseInt(index)));
    }
    String[] key = matcher.group(4).split("\\.");
    String value = matcher.group(5);
    return node -> node.valueStream().filter(each -> JsonTrees.text(each, key).equals(value));
  }

  Stream<JsonNode> in(JsonNode object) {
    Stream<JsonNode> found = Stream.of(object);
    for (Function<JsonNode, Stream<JsonNode>> step : steps) {
      found = found.flatMap(step);
    }
    return found.filter(JsonTrees::isPresent);
  }
}
