package dev.drydock.simulate.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * YAML in a compact layout: one object per line, with small values in braces, so that a node takes
 * one line instead of five.
 */
final class FlowYaml {
  /** Strings that are plain text in every YAML version, without quotes. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z/][A-Za-z0-9._/-]*");

  private static final Pattern WORD =
      Pattern.compile("(?i)true|false|null|yes|no|on|off|y|n|inf|nan");

  private FlowYaml() {}

  static String write(JsonNode root) {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, JsonNode> field : root.properties()) {
      field(text, "", field, true);
    }
    return text.toString();
  }

  private static void field(
      StringBuilder text, String indent, Map.Entry<String, JsonNode> field, boolean outer) {
    JsonNode value = field.getValue();
    text.append(scalar(field.getKey())).append(':');
    if (!value.isArray() || value.isEmpty() || !value.get(0).isObject()) {
      text.append(' ').append(flow(value)).append('\n');
      return;
    }
    text.append('\n');
    for (JsonNode item : value) {
      text.append(indent).append("- ");
      if (outer) {
        block(text, indent + "  ", item);
      } else {
        text.append(flow(item)).append('\n');
      }
    }
  }

  private static void block(StringBuilder text, String indent, JsonNode item) {
    boolean first = true;
    for (Map.Entry<String, JsonNode> field : item.properties()) {
      text.append(first ? "" : indent);
      field(text, indent, field, false);
      first = false;
    }
  }

  private static String flow(JsonNode value) {
    if (value.isObject()) {
      StringJoiner fields = new StringJoiner(", ", "{", "}");
      value.properties().forEach(f -> fields.add(scalar(f.getKey()) + ": " + flow(f.getValue())));
      return fields.toString();
    }
    if (value.isArray()) {
      StringJoiner items = new StringJoiner(", ", "[", "]");
      value.forEach(item -> items.add(flow(item)));
      return items.toString();
    }
    return value.isTextual() ? scalar(value.asText()) : value.toString();
  }

  private static String scalar(String text) {
    boolean plain = PLAIN.matcher(text).matches() && !WORD.matcher(text).matches();
    return plain ? text : TextNode.valueOf(text).toString();
  }
}
