package dev.drydock.sim.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.fields.Ownership;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** A resource in one served version. */
public record ResourceType(
    String group, String version, Names names, boolean namespaced, TypeRules rules) {
  private static final Set<String> OF_STATUS = Set.of("apiVersion", "kind", "metadata", "status");

  /** The names of a resource. */
  public record Names(
      String plural, String singular, String kind, String listKind, List<String> shortNames) {}

  /** The name under which all versions of the resource are stored. */
  public String resource() {
    return names.plural() + "." + rules.storageGroup(group);
  }

  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** The name in error messages. */
  String qualified() {
    return group.isEmpty() ? names.plural() : names.plural() + "." + group;
  }

  String qualifiedKind() {
    return group.isEmpty() ? names.kind() : names.kind() + "." + group;
  }

  /** How fields are owned in writes of the status, or of everything else. */
  public Ownership.Form form(boolean ofStatus) {
    Predicate<String> ignored =
        ofStatus
            ? field -> !OF_STATUS.contains(field)
            : field -> rules.hasStatus() && field.equals("status");
    return new Ownership.Form(apiVersion(), rules.schema(this), ignored);
  }

  /** The stored object in this version. */
  public ObjectNode served(ObjectNode stored) {
    ObjectNode served = rules.served(stored);
    if (served.path("apiVersion").asText().equals(apiVersion())) {
      return served;
    }
    ObjectNode copy = served.deepCopy();
    return copy.put("apiVersion", apiVersion()).put("kind", names.kind());
  }
}
