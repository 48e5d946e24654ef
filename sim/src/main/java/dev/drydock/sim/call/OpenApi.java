package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ApiFailure;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.TypeCatalog;
import dev.drydock.sim.json.Json;
import java.util.List;

/**
 * The part of OpenAPI v3 that kubectl reads before it writes: which operations there are, and that
 * the server checks fields itself. It has no schemas.
 */
final class OpenApi {
  private static final List<String> WRITE_PARAMETERS =
      List.of("dryRun", "fieldManager", "fieldValidation");

  private final TypeCatalog types;

  OpenApi(TypeCatalog types) {
    this.types = types;
  }

  /** Where the document of each group and version is. */
  ObjectNode index() {
    ObjectNode index = Json.object();
    ObjectNode paths = index.putObject("paths");
    types.all().stream()
        .map(OpenApi::root)
        .distinct()
        .forEach(root -> paths.putObject(root).put("serverRelativeURL", "/openapi/v3/" + root));
    return index;
  }

  ObjectNode document(String root) {
    ObjectNode document = Json.object().put("openapi", "3.0.0");
    document.putObject("info").put("title", "Kubernetes").put("version", "v1.36.4");
    ObjectNode paths = document.putObject("paths");
    types.all().stream()
        .filter(type -> root(type).equals(root))
        .forEach(type -> describe(type, paths));
    if (paths.isEmpty()) {
      throw ApiFailure.noSuchResource();
    }
    document.putObject("components").putObject("schemas");
    return document;
  }

  private static String root(ResourceType type) {
    return type.group().isEmpty() ? "api/v1" : "apis/" + type.apiVersion();
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
  }

  private static void operation(ObjectNode path, String method, ResourceType type) {
    ObjectNode operation = path.putObject(method);
    ArrayNode parameters = operation.putArray("parameters");
    WRITE_PARAMETERS.forEach(name -> parameters.addObject().put("name", name).put("in", "query"));
    operation.putObject("responses");
    operation
        .putObject("x-kubernetes-group-version-kind")
        .put("group", type.group())
        .put("version", type.version())
        .put("kind", type.names().kind());
  }
}
