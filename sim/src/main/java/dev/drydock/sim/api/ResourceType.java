package dev.drydock.sim.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** A resource in one version, as it is served. */
public record ResourceType(
    String group, String version, Names names, boolean namespaced, TypeRules rules) {
  /** What a resource is called. */
  public record Names(
      String plural, String singular, String kind, String listKind, List<String> shortNames) {}

  /** The name that all versions of the resource are stored by. */
  public String resource() {
    return names.plural() + "." + rules.storageGroup(group);
  }

  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** As failures call it. */
  String qualified() {
    return group.isEmpty() ? names.plural() : names.plural() + "." + group;
  }

  String qualifiedKind() {
    return group.isEmpty() ? names.kind() : names.kind() + "." + group;
  }

  /** The stored object as this version shows it. */
  public ObjectNode served(ObjectNode stored) {
    ObjectNode served = rules.served(stored);
    if (served.path("apiVersion").asText().equals(apiVersion())) {
      return served;
    }
    ObjectNode copy = served.deepCopy();
    return copy.put("apiVersion", apiVersion()).put("kind", names.kind());
  }
}
