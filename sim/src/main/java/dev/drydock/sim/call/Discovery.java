package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.api.TypeCatalog;
import dev.drydock.sim.json.JsonTrees;
import io.fabric8.kubernetes.client.utils.KubernetesVersionPriority;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Serves API discovery. */
final class Discovery {
  private static final List<String> VERBS =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
  private static final List<String> STATUS_VERBS = List.of("get", "patch", "update");

  private final TypeCatalog types;

  Discovery(TypeCatalog types) {
    this.types = types;
  }

  static ObjectNode version() {
    return JsonTrees.object()
        .put("major", "1")
        .put("minor", "36")
        .put("gitVersion", "v1.36.4-drydock-sim")
        .put("platform", "sim/sim");
  }

  static ObjectNode coreVersions() {
    ObjectNode versions = JsonTrees.object().put("kind", "APIVersions");
    versions.putArray("versions").add("v1");
    return versions;
  }

  ObjectNode groups() {
    ObjectNode list = JsonTrees.object().put("kind", "APIGroupList").put("apiVersion", "v1");
    ArrayNode groups = list.putArray("groups");
    Set<String> names = new LinkedHashSet<>();
    types.all().forEach(type -> names.add(type.group()));
    names.remove("");
    names.forEach(name -> groups.add(groupBody(name)));
    return list;
  }

  ObjectNode group(String name) {
    ObjectNode group = groupBody(name);
    if (group.path("versions").isEmpty()) {
      throw StatusException.noSuchResource();
    }
    return group.put("kind", "APIGroup").put("apiVersion", "v1");
  }

  private ObjectNode groupBody(String name) {
    ObjectNode group = JsonTrees.object().put("name", name);
    ArrayNode versions = group.putArray("versions");
    List<String> served =
        types.all().stream()
            .filter(type -> type.group().equals(name))
            .map(ResourceType::version)
            .distinct()
            .toList();
    for (String version : byPriority(served)) {
      versions.addObject().put("groupVersion", name + "/" + version).put("version", version);
    }
    if (!versions.isEmpty()) {
      group.set("preferredVersion", versions.path(0));
    }
    return group;
  }

  /** The preferred version first. */
  static List<String> byPriority(List<String> versions) {
    return KubernetesVersionPriority.sortByPriority(versions, Function.identity());
  }

  ObjectNode resources(String group, String version) {
    List<ResourceType> served =
        types.all().stream()
            .filter(type -> type.group().equals(group) && type.version().equals(version))
            .toList();
    if (served.isEmpty()) {
      throw StatusException.noSuchResource();
    }
    ObjectNode list = JsonTrees.object().put("kind", "APIResourceList").put("apiVersion", "v1");
    list.put("groupVersion", served.getFirst().apiVersion());
    ArrayNode resources = list.putArray("resources");
    served.forEach(type -> add(type, resources));
    return list;
  }

  private static void add(ResourceType type, ArrayNode resources) {
    ObjectNode main = resource(resources, type, "", type.names().kind(), VERBS);
    main.put("singularName", type.names().singular());
    type.names().shortNames().forEach(main.withArray("shortNames")::add);
    type.rules().categories().forEach(main.withArray("categories")::add);
    if (type.rules().hasStatus()) {
      resource(resources, type, "/status", type.names().kind(), STATUS_VERBS);
    }
    if (type.rules().scale() != null) {
      resource(resources, type, "/scale", "Scale", STATUS_VERBS)
          .put("group", "autoscaling")
          .put("version", "v1");
    }
    if (type.resource().equals("pods.")) {
      resource(resources, type, "/binding", "Binding", List.of("create"));
      resource(resources, type, "/eviction", "Eviction", List.of("create"))
          .put("group", "policy")
          .put("version", "v1");
    }
  }

  private static ObjectNode resource(
      ArrayNode resources, ResourceType type, String subresource, String kind, List<String> verbs) {
    ObjectNode resource = resources.addObject().put("name", type.names().plural() + subresource);
    resource.put("singularName", "").put("namespaced", type.namespaced()).put("kind", kind);
    verbs.forEach(resource.withArray("verbs")::add);
    return resource;
  }
}
