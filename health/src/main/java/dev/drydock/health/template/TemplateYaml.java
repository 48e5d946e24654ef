package dev.drydock.health.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.drydock.kube.Json;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads YAML that a template made. Data is put in after the text was parsed, so whatever it
 * contains, quotes, line breaks or colons, it never becomes more than one value. A value is a
 * string, a number or a boolean as the schema of the resource says; where that says nothing, as it
 * is written.
 */
public final class TemplateYaml {
  /** Characters for private use, between which the number of a value stands. */
  private static final char BEGIN = '\uE000';

  private static final char END = '\uE001';
  private static final Pattern PLACEHOLDER = Pattern.compile(BEGIN + "(\\d+)" + END);
  private static final int DEEPEST = 100;
  private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9]\\d{0,17})");
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE][-+]?\\d+)?");
  private static final Set<String> TRUE =
      Set.of("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON");
  private static final Set<String> FALSE =
      Set.of("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF");
  private static final Set<String> NULL = Set.of("", "~", "null", "Null", "NULL");

  private final List<String> values = new ArrayList<>();

  private TemplateYaml() {}

  /**
   * The document.
   *
   * @param schema as in OpenAPI; a missing node if nothing is known
   * @throws TemplateFailed if it is not a mapping
   */
  public static ObjectNode read(TemplateText text, JsonNode schema) {
    TemplateYaml reader = new TemplateYaml();
    try {
      Node root =
          new Yaml(new LoaderOptions()).compose(new StringReader(reader.withPlaceholders(text)));
      if (root instanceof MappingNode mapping) {
        return reader.mapping(mapping, schema, 0);
      }
    } catch (YAMLException malformed) {
      throw new TemplateFailed(
          "the template does not render to YAML: " + line(String.valueOf(malformed.getMessage())));
    }
    throw new TemplateFailed("the template does not render to a mapping");
  }

  private static String line(String message) {
    return PLACEHOLDER.matcher(message.strip().replaceAll("\\s*\\R\\s*", "; ")).replaceAll("...");
  }

  private String withPlaceholders(TemplateText text) {
    StringBuilder all = new StringBuilder();
    for (TemplateText.Segment segment : text.segments()) {
      if (segment.data().isEmpty()) {
        if (segment.text().indexOf(BEGIN) >= 0 || segment.text().indexOf(END) >= 0) {
          throw new TemplateFailed("the template has a character U+E000 or U+E001");
        }
        all.append(segment.text());
      } else {
        all.append(BEGIN).append(values.size()).append(END);
        values.add(segment.data().get());
      }
    }
    return all.toString();
  }

  private String filled(String text) {
    return PLACEHOLDER
        .matcher(text)
        .replaceAll(
            found -> Matcher.quoteReplacement(values.get(Integer.parseInt(found.group(1)))));
  }

  private JsonNode node(Node node, JsonNode schema, int depth) {
    if (depth > DEEPEST) {
      throw new TemplateFailed("the template's YAML is nested too deeply");
    }
    return switch (node) {
      case MappingNode mapping -> mapping(mapping, schema, depth);
      case SequenceNode sequence -> {
        ArrayNode array = Json.array();
        for (Node each : sequence.getValue()) {
          array.add(node(each, schema.path("items"), depth + 1));
        }
        yield array;
      }
      case ScalarNode scalar -> scalar(scalar, schema);
      default -> throw new TemplateFailed("the template's YAML cannot be read");
    };
  }

  private ObjectNode mapping(MappingNode mapping, JsonNode schema, int depth) {
    ObjectNode object = Json.object();
    for (NodeTuple entry : mapping.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode key) || key.getTag().equals(Tag.MERGE)) {
        throw new TemplateFailed("a key of the template's YAML is not a word");
      }
      String name = filled(key.getValue());
      if (name.equals(key.getValue()) && object.has(name)) {
        throw new TemplateFailed("key %s is twice in the template's YAML".formatted(name));
      }
      JsonNode of = field(schema, name);
      JsonNode value = node(entry.getValueNode(), of, depth + 1);
      // a list that nothing was put in, for example: absent is what is meant
      boolean nothing =
          value.isNull() && !of.isMissingNode() && !of.path("nullable").asBoolean(false);
      if (!nothing) {
        object.set(name, value);
      }
    }
    return object;
  }

  private static JsonNode field(JsonNode schema, String name) {
    JsonNode property = schema.path("properties").path(name);
    return property.isMissingNode() ? schema.path("additionalProperties") : property;
  }

  private JsonNode scalar(ScalarNode scalar, JsonNode schema) {
    String text = filled(scalar.getValue());
    boolean plain = scalar.getScalarStyle() == ScalarStyle.PLAIN;
    boolean fromData = PLACEHOLDER.matcher(scalar.getValue()).find();
    if (plain && !fromData && NULL.contains(text)) {
      return NullNode.getInstance();
    }
    String type = schema.path("type").asText("");
    return switch (type) {
      case "string" -> TextNode.valueOf(text);
      case "boolean", "integer", "number" -> typed(text, type);
      default ->
          plain && !scalar.getTag().equals(Tag.BINARY) ? plain(text) : TextNode.valueOf(text);
    };
  }

  /** What is not of the type stays as it is; the API server says what is wrong with it. */
  private static JsonNode typed(String text, String type) {
    JsonNode value = plain(text);
    boolean fits =
        switch (type) {
          case "boolean" -> value.isBoolean();
          case "integer" -> value.isIntegralNumber();
          default -> value.isNumber();
        };
    return fits ? value : TextNode.valueOf(text);
  }

  private static JsonNode plain(String text) {
    if (NULL.contains(text)) {
      return NullNode.getInstance();
    }
    if (TRUE.contains(text) || FALSE.contains(text)) {
      return BooleanNode.valueOf(TRUE.contains(text));
    }
    if (INTEGER.matcher(text).matches()) {
      return LongNode.valueOf(Long.parseLong(text));
    }
    return NUMBER.matcher(text).matches() && text.length() < 30
        ? DoubleNode.valueOf(Double.parseDouble(text))
        : TextNode.valueOf(text);
  }
}
