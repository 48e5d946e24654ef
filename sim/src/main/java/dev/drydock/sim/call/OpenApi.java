package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.api.TypeCatalog;
import dev.drydock.sim.fields.Schema;
import dev.drydock.sim.json.JsonTrees;
import java.util.List;

/**
 * The part of OpenAPI v3 that kubectl reads: the operations, that the server supports field
 * validation, and the fields. Descriptions are left out.
 */
final class OpenApi {
  private static final List<String> WRITE_PARAMETERS =
      List.of("dryRun", "fieldManager", "fieldValidation");
  private static final String KIND = "x-kubernetes-group-version-kind";
  private static final String METADATA = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
  private static final String REFERENCE = "#/components/schemas/";

  private final TypeCatalog types;

  OpenApi(TypeCatalog types) {
    this.types = types;
  }

  /** The paths of each group version's document. */
  ObjectNode index() {
    ObjectNode index = JsonTrees.object();
    ObjectNode paths = index.putObject("paths");
    types.all().stream()
        .map(OpenApi::root)
        .distinct()
        .forEach(root -> paths.putObject(root).put("serverRelativeURL", "/openapi/v3/" + root));
    return index;
  }

  ObjectNode document(String root) {
    ObjectNode document = JsonTrees.object().put("openapi", "3.0.0");
    document.putObject("info").put("title", "Kubernetes").put("version", "v1.36.4");
    ObjectNode paths = document.putObject("paths");
    ObjectNode schemas = JsonTrees.object();
    for (ResourceType type : types.all()) {
      if (root(type).equals(root)) {
        describe(type, paths);
        addSchema(type, schemas);
      }
    }
    if (paths.isEmpty()) {
      throw StatusException.noSuchResource();
    }
    document.putObject("components").set("schemas", schemas);
    return document;
  }

  private static String root(ResourceType type) {
    return type.group().isEmpty() ? "api/v1" : "apis/" + type.apiVersion();
  }

  private static void addSchema(ResourceType type, ObjectNode schemas) {
    String kind = type.names().kind();
    if (!type.rules().isCustom()) {
      Schema.builtIn().properties().stream()
          .filter(each -> isOf(each.getValue(), type))
          .map(each -> REFERENCE + each.getKey())
          .forEach(reference -> addReferenced(reference, schemas));
      return;
    }
    ObjectNode schema = type.rules().schema(type).type().deepCopy();
    ObjectNode properties = JsonTrees.child(schema, "properties");
    properties.putObject("apiVersion").put("type", "string");
    properties.putObject("kind").put("type", "string");
    properties
        .putObject("metadata")
        .putArray("allOf")
        .addObject()
        .put("$ref", REFERENCE + METADATA);
    schema.putArray(KIND).add(kindOf(type));
    schemas.set(type.group() + "." + type.version() + "." + kind, schema);
    addReferenced(REFERENCE + METADATA, schemas);
  }

  private static boolean isOf(JsonNode schema, ResourceType type) {
    return schema.path(KIND).valueStream().anyMatch(kindOf(type)::equals);
  }

  private static void addReferenced(String reference, ObjectNode schemas) {
    String name = reference.substring(REFERENCE.length());
    if (!schemas.has(name)) {
      JsonNode schema = Schema.builtIn().path(name);
      schemas.set(name, schema);
      // a type may have a field of that name
      schema.findValuesAsText("$ref").stream()
          .filter(each -> each.startsWith(REFERENCE))
          .forEach(each -> addReferenced(each, schemas));
    }
  }

  private static ObjectNode kindOf(ResourceType type) {
    return JsonTrees.object()
        .put("group", type.group())
        .put("kind", type.names().kind())
        .put("version", type.version());
  }

  private static void describe(ResourceType type, ObjectNode paths) {
    String collection =
        "/%s/%s%s"
            .formatted(
                root(type),
                type.namespaced() ? "namespaces/{namespace}/" : "",
                type.names().plural());
    operation(paths.putObject(collection), "post", type);
    ObjectNode one = paths.putObject(collection + "/{name}");
    operation(one, "put", type);
    operation(one, "patch", type);
    // kubectl explain finds the type by this
    operation(one, "get", type);
  }

  private static void operation(ObjectNode path, String method, ResourceType type) {
    ObjectNode operation = path.putObject(method);
    ArrayNode parameters = operation.putArray("parameters");
    WRITE_PARAMETERS.forEach(name -> parameters.addObject().put("name", name).put("in", "query"));
    operation.putObject("responses");
    operation.set(KIND, kindOf(type));
  }
}
