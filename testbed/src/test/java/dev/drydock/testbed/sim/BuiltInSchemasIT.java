package dev.drydock.testbed.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.fields.Schema;
import dev.drydock.sim.types.BuiltInTypes;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that the simulation's schemas of built-in types equal the API server's. To update them for
 * a new version or type, run this with {@code drydock.schemas.write} set to a file and replace
 * {@code schemas.json} with it.
 */
@ClusterTest
class BuiltInSchemasIT {
  private static final String KIND = "x-kubernetes-group-version-kind";
  private static final List<String> STRUCTURE =
      List.of(
          "type",
          "format",
          "default",
          "required",
          "enum",
          "oneOf",
          "x-kubernetes-list-type",
          "x-kubernetes-list-map-keys",
          "x-kubernetes-map-type",
          "x-kubernetes-patch-strategy",
          "x-kubernetes-patch-merge-key",
          KIND);

  private final ObjectMapper json =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();
  private final Map<String, JsonNode> served = new TreeMap<>();
  private final Map<String, JsonNode> needed = new TreeMap<>();

  @Test
  void areThoseOfTheRealServer(ControlPlane controlPlane) throws IOException {
    KubernetesClient client = controlPlane.client();
    Stream.concat(
            Stream.of("apis/autoscaling/v1"),
            BuiltInTypes.all().stream().map(BuiltInSchemasIT::document))
        .distinct()
        .forEach(document -> read(client.raw("/openapi/v3/" + document)));
    take("io.k8s.api.autoscaling.v1.Scale");
    for (ResourceType type : BuiltInTypes.all()) {
      served.entrySet().stream()
          .filter(each -> isOf(each.getValue(), type))
          .map(Map.Entry::getKey)
          .forEach(this::take);
    }

    String file = System.getProperty("drydock.schemas.write", "");
    if (!file.isEmpty()) {
      DefaultPrettyPrinter lines = new DefaultPrettyPrinter();
      lines.indentObjectsWith(new DefaultIndenter(" ", "\n"));
      Files.writeString(Path.of(file), json.writer(lines).writeValueAsString(needed) + "\n");
    }
    assertThat(json.readTree(json.writeValueAsString(needed))).isEqualTo(Schema.builtIn());
  }

  private static String document(ResourceType type) {
    return (type.group().isEmpty() ? "api/" : "apis/") + type.apiVersion();
  }

  private void read(String document) {
    try {
      JsonNode schemas = json.readTree(document).at("/components/schemas");
      schemas.properties().forEach(each -> served.put(each.getKey(), each.getValue()));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isOf(JsonNode schema, ResourceType type) {
    return schema
        .path(KIND)
        .valueStream()
        .anyMatch(
            kind ->
                kind.path("group").asText().equals(type.group())
                    && kind.path("version").asText().equals(type.version())
                    && kind.path("kind").asText().equals(type.names().kind()));
  }

  private void take(String name) {
    if (!needed.containsKey(name)) {
      needed.put(name, json.createObjectNode());
      needed.put(name, structure(served.getOrDefault(name, json.createObjectNode())));
    }
  }

  /** Everything except descriptions. */
  private ObjectNode structure(JsonNode schema) {
    ObjectNode structure = json.createObjectNode();
    for (String property : STRUCTURE) {
      if (schema.has(property)) {
        structure.set(property, schema.get(property));
      }
    }
    JsonNode reference = schema.has("allOf") ? schema.at("/allOf/0/$ref") : schema.path("$ref");
    if (reference.isTextual()) {
      structure.set("$ref", reference);
      take(reference.asText().substring(reference.asText().lastIndexOf('/') + 1));
    }
    if (schema.path("properties").isObject()) {
      ObjectNode fields = structure.putObject("properties");
      schema
          .path("properties")
          .properties()
          .forEach(field -> fields.set(field.getKey(), structure(field.getValue())));
    }
    for (String part : List.of("items", "additionalProperties")) {
      if (schema.path(part).isObject()) {
        structure.set(part, structure(schema.path(part)));
      }
    }
    return structure;
  }
}
