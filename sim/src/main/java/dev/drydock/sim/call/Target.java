package dev.drydock.sim.call;

import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.api.TypeCatalog;
import dev.drydock.sim.store.ObjectKey;
import dev.drydock.sim.types.BuiltInTypes;
import java.util.List;

/** The target of a path. Absent parts are empty. */
record Target(ResourceType type, String namespace, String name, String subresource) {
  /** Parses {@code api/v1/...} and {@code apis/GROUP/VERSION/...}. */
  static Target of(List<String> path, TypeCatalog types) {
    boolean core = path.getFirst().equals("api");
    String group = core ? "" : path.get(1);
    String version = path.get(core ? 1 : 2);
    List<String> rest = path.subList(core ? 2 : 3, path.size());
    String namespace = "";
    // a namespace has its own subresources
    if (rest.size() > 2
        && rest.getFirst().equals("namespaces")
        && !(core && rest.size() == 3 && List.of("status", "finalize").contains(rest.get(2)))) {
      namespace = rest.get(1);
      rest = rest.subList(2, rest.size());
    }
    ResourceType type = types.find(group, version, rest.getFirst());
    if (type == null) {
      throw BuiltInTypes.GROUPS.contains(group)
          ? StatusException.notSimulated("/" + String.join("/", path))
          : StatusException.noSuchResource();
    }
    if (rest.size() > 3 || (!namespace.isEmpty() && !type.namespaced())) {
      throw StatusException.noSuchResource();
    }
    return new Target(
        type, namespace, rest.size() > 1 ? rest.get(1) : "", rest.size() > 2 ? rest.get(2) : "");
  }

  ObjectKey key() {
    return new ObjectKey(namespace, name);
  }
}
