package dev.drydock.kube;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Parses JSON into trees, without the large fields of API objects that no decision uses. */
public final class Json {
  /**
   * The API server accepts objects with deeper nesting, longer names and longer texts than the
   * parser does by default; it limits the size of an object itself.
   */
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /**
   * Fields that are skipped directly in the spec, status or metadata of an object, where Pods and
   * Nodes have them. A template deeper in another object keeps them, as does a label of this name.
   */
  private static final Set<String> BULKY =
      Set.of(
          "managedFields",
          "ephemeralContainers",
          "ephemeralContainerStatuses",
          "affinity",
          "tolerations",
          "images",
          "volumesInUse",
          "volumesAttached");

  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  /**
   * Longer values of annotations in namespaces, where tenants write, are dropped. No annotation of
   * these objects that is used is nearly as long.
   */
  static final int LONGEST_ANNOTATION = 16 * 1024;

  /** Lists of a Pod's spec of which only the extended resources that they request are kept. */
  private static final Set<String> CONTAINERS = Set.of("containers", "initContainers");

  /**
   * Whatever is nested more deeply is skipped, so that one such object does not keep a list of
   * others from being read. No field that is used is nested nearly as deeply.
   */
  private static final int DEEPEST = 200;

  /** Which fields, objects and lists only, are skipped at a level. */
  @FunctionalInterface
  private interface Skipping {
    boolean skips(String name, int level);
  }

  private static final Skipping BULKY_FIELDS = (name, level) -> level == 1 && BULKY.contains(name);

  private static final Json DEFAULT = new Json(BULKY_FIELDS, true, null);

  private final Skipping skipping;
  private final boolean reduced;
  private final @Nullable Consumer<JsonNode> items;

  private Json(Skipping skipping, boolean reduced, @Nullable Consumer<JsonNode> items) {
    this.skipping = skipping;
    this.reduced = reduced;
    this.items = items;
  }

  public static ObjectNode object() {
    return NODES.objectNode();
  }

  public static ArrayNode array() {
    return NODES.arrayNode();
  }

  /** A missing node if the text contains no value. */
  public static JsonNode read(byte[] bytes, int length) throws IOException {
    try (JsonParser parser = FACTORY.createParser(bytes, 0, length)) {
      return parser.nextToken() == null ? NODES.missingNode() : DEFAULT.value(parser, 0, 0);
    }
  }

  public static JsonNode read(String text) throws IOException {
    try (JsonParser parser = FACTORY.createParser(text)) {
      return parser.nextToken() == null ? NODES.missingNode() : DEFAULT.value(parser, 0, 0);
    }
  }

  /**
   * Parses as it reads. Fields with one of these names are skipped, wherever they are.
   *
   * @throws IOException also if the stream ends early
   */
  public static JsonNode read(InputStream stream, Set<String> skipped) throws IOException {
    try (JsonParser parser = FACTORY.createParser(stream)) {
      return parser.nextToken() == null
          ? NODES.missingNode()
          : new Json((name, _) -> skipped.contains(name), false, null).value(parser, 0, 0);
    }
  }

  /**
   * Parses an answer.
   *
   * @param items receives the items of a list one by one as they are read; the list that is
   *     returned then has none
   */
  static JsonNode read(InputStream stream, @Nullable Consumer<JsonNode> items) throws IOException {
    try (JsonParser parser = FACTORY.createParser(stream)) {
      return parser.nextToken() == null
          ? NODES.missingNode()
          : new Json(BULKY_FIELDS, true, items).value(parser, 0, 0);
    }
  }

  /**
   * Parses the next value.
   *
   * @param level 0 for an API object, a list of objects or a watch event, plus one for each nested
   *     object
   * @param depth the number of objects and arrays around it
   */
  private JsonNode value(JsonParser parser, int level, int depth) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> depth > DEEPEST ? skipped(parser) : object(parser, level, depth);
      case START_ARRAY -> depth > DEEPEST ? skipped(parser) : array(parser, level, depth);
      case VALUE_STRING -> NODES.textNode(parser.getText());
      case VALUE_NUMBER_INT -> integer(parser);
      case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDoubleValue());
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      default -> NODES.nullNode();
    };
  }

  /** One beyond 64 bits is read as the API server reads it, as a floating-point number. */
  private static JsonNode integer(JsonParser parser) throws IOException {
    return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
        ? NODES.numberNode(parser.getDoubleValue())
        : NODES.numberNode(parser.getLongValue());
  }

  private static JsonNode skipped(JsonParser parser) throws IOException {
    parser.skipChildren();
    return NODES.nullNode();
  }

  private ObjectNode object(JsonParser parser, int level, int depth) throws IOException {
    ObjectNode object = NODES.objectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      boolean structure = parser.nextToken().isStructStart();
      if (structure && skipping.skips(name, level)) {
        parser.skipChildren();
      } else if (reduced && level == 1 && CONTAINERS.contains(name)) {
        addRequests(object, name, parser);
      } else if (items != null
          && depth == 0
          && name.equals("items")
          && parser.isExpectedStartArrayToken()) {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.accept(value(parser, 0, 2));
        }
        object.putArray(name);
      } else {
        boolean wraps = level == 0 && (name.equals("items") || name.equals("object"));
        object.set(name, value(parser, wraps ? 0 : level + 1, depth + 1));
      }
    }
    if (reduced && level == 0 && object.path("metadata") instanceof ObjectNode metadata) {
      dropLongAnnotations(metadata);
    }
    return object;
  }

  /** Nodes keep theirs: no tenant writes them, and the records of quarantines are long. */
  private static void dropLongAnnotations(ObjectNode metadata) {
    if (metadata.path("annotations") instanceof ObjectNode annotations) {
      var _ = annotations.remove(LAST_APPLIED);
      if (metadata.has("namespace")) {
        annotations
            .properties()
            .removeIf(each -> each.getValue().asText("").length() > LONGEST_ANNOTATION);
      }
    }
  }

  /**
   * Of a list of containers: one {@code {resources: {limits, requests}}} with every extended
   * resource that any of them names, and nothing if there is none.
   */
  private void addRequests(ObjectNode spec, String list, JsonParser parser) throws IOException {
    ObjectNode resources = NODES.objectNode();
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return;
    }
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() == JsonToken.START_OBJECT) {
        addContainer(resources, parser);
      } else {
        parser.skipChildren();
      }
    }
    if (!resources.isEmpty()) {
      spec.putArray(list).addObject().set("resources", resources);
    }
  }

  private void addContainer(ObjectNode resources, JsonParser parser) throws IOException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      boolean wanted = parser.currentName().equals("resources");
      if (parser.nextToken() != JsonToken.START_OBJECT || !wanted) {
        parser.skipChildren();
        continue;
      }
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String kind = parser.currentName();
        if (parser.nextToken() == JsonToken.START_OBJECT) {
          addExtended(resources, kind, parser);
        } else {
          parser.skipChildren();
        }
      }
    }
  }

  /** Extended resources have a domain; those of Kubernetes itself have none. */
  private void addExtended(ObjectNode resources, String kind, JsonParser parser)
      throws IOException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      var _ = parser.nextToken();
      JsonNode amount = value(parser, 2, 2);
      if (name.indexOf('/') > 0) {
        ObjectNode amounts =
            resources.path(kind) instanceof ObjectNode there ? there : resources.putObject(kind);
        amounts.set(name, amount);
      }
    }
  }

  private ArrayNode array(JsonParser parser, int level, int depth) throws IOException {
    ArrayNode array = NODES.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(parser, level, depth + 1));
    }
    return array;
  }
}
