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
 * What is known of the values at one place of an object: its own description, and the type that it
 * refers to. Where nothing is known, anything goes.
 */
public record Schema(JsonNode own, JsonNode type) {
  public static final Schema ANY = new Schema(MissingNode.getInstance(), MissingNode.getInstance());

  private static final String REFERENCE = "$ref";
  private static final String GROUP_VERSION_KIND = "x-kubernetes-group-version-kind";
  private static final JsonNode BUILT_IN = read();
  private static final Map<String, Schema> BY_KIND = byKind();
  private static final Schema METADATA =
      of(BUILT_IN.path("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"));

  /** As the API server of the simulated version describes its types, by their full names. */
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

  /** The schema of a built-in kind, or one that knows nothing. */
  public static Schema ofKind(String group, String version, String kind) {
    return BY_KIND.getOrDefault(group + "/" + version + "/" + kind, ANY);
  }

  /** The schema of a custom resource: its metadata is known, whatever its definition says. */
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

  /** A property of the description, be it of this place or of its type. */
  public JsonNode property(String name) {
    return own.has(name) ? own.path(name) : type.path(name);
  }

  /** The short name of the type, if it has one. */
  public String name() {
    String reference = JsonTrees.text(own, REFERENCE);
    return reference.substring(reference.lastIndexOf('.') + 1);
  }

  /** What values here are, in the words of JSON schemas; empty if they may be several things. */
  public String kindOfValue() {
    return type.has("oneOf") ? "" : JsonTrees.text(type, "type");
  }

  /** Whether the field is one of a structure, rather than the key of a map. */
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

  /** Whether an object here is written as a whole. */
  boolean isWhole() {
    return property("x-kubernetes-map-type").asText().equals("atomic");
  }

  /** Whether the elements of a list here are values that stand for themselves. */
  boolean isSet() {
    return property("x-kubernetes-list-type").asText().equals("set");
  }

  /** The fields that tell the elements of a list here apart; none if it is not such a list. */
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

  /** An object of which nobody has said anything: what it cannot do without, and empty. */
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
