package dev.drydock.sim.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.fields.Ownership;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** A resource in one version, as it is served. */
public record ResourceType(
    String group, String version, Names names, boolean namespaced, TypeRules rules) {
  private static final Set<String> OF_STATUS = Set.of("apiVersion", "kind", "metadata", "status");

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

  /** How its fields are owned by those who write the status, or all the rest. */
  public Ownership.Form form(boolean ofStatus) {
    Predicate<String> ignored =
        ofStatus
            ? field -> !OF_STATUS.contains(field)
            : field -> rules.hasStatus() && field.equals("status");
    return new Ownership.Form(apiVersion(), rules.schema(this), ignored);
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
