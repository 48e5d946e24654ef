package dev.drydock.sim.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The schema at one place of an object: its own description and the type it refers to. Without a
 * schema, any value is valid.
 */
public record Schema(JsonNode own, JsonNode type) {
  public static final Schema ANY = new Schema(MissingNode.getInstance(), MissingNode.getInstance());

  private static final String REFERENCE = "$ref";
  private static final String GROUP_VERSION_KIND = "x-kubernetes-group-version-kind";
  private static final JsonNode BUILT_IN = read();
  private static final Map<String, Schema> BY_KIND = byKind();
  private static final Schema METADATA =
      of(BUILT_IN.path("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"));

  /** The API server's schemas of its types, by full name. */
  public static JsonNode builtIn() {
    return BUILT_IN;
  }

  private static JsonNode read() {
    try (InputStream in = Schema.class.getResourceAsStream("schemas.json")) {
      return JsonTrees.MAPPER.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Schema> byKind() {
    Map<String, Schema> found = new HashMap<>();
    for (JsonNode type : BUILT_IN) {
      for (JsonNode kind : type.path(GROUP_VERSION_KIND)) {
        String name = JsonTrees.text(kind, "group") + "/" + JsonTrees.text(kind, "version");
        found.put(name + "/" + JsonTrees.text(kind, "kind"), of(type));
      }
    }
    return found;
  }

  /** The schema of a built-in kind, or an empty one. */
  public static Schema ofKind(String group, String version, String kind) {
    return BY_KIND.getOrDefault(group + "/" + version + "/" + kind, ANY);
  }

  /** The schema of a custom resource; the metadata schema is always included. */
  public static Schema ofCustom(JsonNode definition) {
    return new Schema(JsonTrees.object().put("x-kubernetes-embedded-resource", true), definition);
  }

  static Schema of(JsonNode own) {
    String reference = JsonTrees.text(own, REFERENCE);
    JsonNode type =
        reference.isEmpty()
            ? own
            : BUILT_IN.path(reference.substring(reference.lastIndexOf('/') + 1));
    return new Schema(own, type);
  }

  /** A property, from this place or its type. */
  public JsonNode property(String name) {
    return own.has(name) ? own.path(name) : type.path(name);
  }

  /** The short name of the type, if it has one. */
  public String name() {
    String reference = JsonTrees.text(own, REFERENCE);
    return reference.substring(reference.lastIndexOf('.') + 1);
  }

  /** The JSON schema type of values here; empty if several are allowed. */
  public String kindOfValue() {
    return type.has("oneOf") ? "" : JsonTrees.text(type, "type");
  }

  /** Whether the field belongs to a struct and is not a map key. */
  public boolean declares(String field) {
    return type.path("properties").has(field) || (isResource() && field.equals("metadata"));
  }

  private boolean isResource() {
    return property("x-kubernetes-embedded-resource").asBoolean();
  }

  public boolean isStructure() {
    return type.has("properties");
  }

  public boolean isMap() {
    return type.path("additionalProperties").isObject();
  }

  public Schema field(String name) {
    if (isResource() && name.equals("metadata")) {
      return METADATA;
    }
    JsonNode declared = type.path("properties").path(name);
    return of(declared.isMissingNode() ? type.path("additionalProperties") : declared);
  }

  public Schema element() {
    return of(type.path("items"));
  }

  /** Whether an object here is atomic. */
  boolean isWhole() {
    return property("x-kubernetes-map-type").asText().equals("atomic");
  }

  /** Whether a list here is a set of scalar values. */
  boolean isSet() {
    return property("x-kubernetes-list-type").asText().equals("set");
  }

  /** The keys of a list of type map; empty for other lists. */
  List<String> keys() {
    return property("x-kubernetes-list-type").asText().equals("map")
        ? JsonTrees.texts(property("x-kubernetes-list-map-keys"))
        : List.of();
  }

  boolean mergesInPatches() {
    return property("x-kubernetes-patch-strategy").asText().contains("merge");
  }

  String patchMergeKey() {
    return property("x-kubernetes-patch-merge-key").asText();
  }

  /** An empty object with the required fields. */
  ObjectNode zero() {
    ObjectNode zero = JsonTrees.object();
    if (isResource()) {
      zero.putObject("metadata");
    }
    List<String> required = JsonTrees.texts(type.path("required"));
    for (Map.Entry<String, JsonNode> field : type.path("properties").properties()) {
      JsonNode byDefault = field.getValue().path("default");
      if (byDefault.isObject() && byDefault.isEmpty()) {
        zero.set(field.getKey(), of(field.getValue()).zero());
      } else if (required.contains(field.getKey()) && field.getValue().has("items")) {
        zero.putArray(field.getKey());
      }
    }
    return zero;
  }
}
