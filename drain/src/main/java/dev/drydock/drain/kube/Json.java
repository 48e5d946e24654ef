package dev.drydock.drain.kube;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Set;

/** Reads JSON into trees without the bulky parts of API objects that no decision looks at. */
final class Json {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Left out only as lists or objects: a label of such a name is text and stays. */
  private static final Set<String> BULKY =
      Set.of(
          "managedFields",
          "containers",
          "initContainers",
          "ephemeralContainers",
          "containerStatuses",
          "initContainerStatuses",
          "ephemeralContainerStatuses",
          "affinity",
          "tolerations",
          "images",
          "volumesInUse",
          "volumesAttached");

  private Json() {}

  static ObjectNode object() {
    return NODES.objectNode();
  }

  static ArrayNode array() {
    return NODES.arrayNode();
  }

  /** A missing node for text that holds no value. */
  static JsonNode read(byte[] bytes, int length) throws IOException {
    try (JsonParser parser = FACTORY.createParser(bytes, 0, length)) {
      return parser.nextToken() == null ? NODES.missingNode() : value(parser);
    }
  }

  static JsonNode read(String text) throws IOException {
    try (JsonParser parser = FACTORY.createParser(text)) {
      return parser.nextToken() == null ? NODES.missingNode() : value(parser);
    }
  }

  private static JsonNode value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> NODES.textNode(parser.getText());
      case VALUE_NUMBER_INT -> NODES.numberNode(parser.getLongValue());
      case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDoubleValue());
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      default -> NODES.nullNode();
    };
  }

  private static ObjectNode object(JsonParser parser) throws IOException {
    ObjectNode object = NODES.objectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      boolean structure = parser.nextToken().isStructStart();
      if (structure && BULKY.contains(name)) {
        parser.skipChildren();
      } else {
        object.set(name, value(parser));
      }
    }
    return object;
  }

  private static ArrayNode array(JsonParser parser) throws IOException {
    ArrayNode array = NODES.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(parser));
    }
    return array;
  }
}
