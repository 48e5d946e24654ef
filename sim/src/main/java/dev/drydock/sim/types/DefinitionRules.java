package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.Cause;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.schema.CustomRules;
import dev.drydock.sim.table.Tables;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** CustomResourceDefinitions. */
public final class DefinitionRules implements BuiltInRules {
  /** Finalizer that keeps a CRD until its last object is gone. */
  public static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

  public static final String APPROVAL = "api-approved.kubernetes.io";
  private static final Pattern PROTECTED = Pattern.compile("(.*\\.)?(k8s|kubernetes)\\.io");

  @Override
  public void beforeCreate(ObjectNode object) {
    object.remove("status");
    JsonTrees.metadata(object).withArray("finalizers").add(CLEANUP);
    ObjectNode names = JsonTrees.child(JsonTrees.child(object, "spec"), "names");
    String kind = JsonTrees.text(names, "kind");
    JsonTrees.putIfAbsent(names, "singular", kind.toLowerCase(Locale.ROOT));
    JsonTrees.putIfAbsent(names, "listKind", kind + "List");
  }

  @Override
  public List<Cause> validate(ObjectNode object, @Nullable ObjectNode before) {
    List<Cause> causes = new ArrayList<>();
    JsonNode spec = object.path("spec");
    String expected = JsonTrees.text(spec, "names", "plural") + "." + JsonTrees.text(spec, "group");
    if (!JsonTrees.text(object, "metadata", "name").equals(expected)) {
      causes.add(Cause.invalid("metadata.name", "must be spec.names.plural+\".\"+spec.group"));
    }
    for (String field : List.of("plural", "kind")) {
      if (JsonTrees.text(spec, "names", field).isEmpty()) {
        causes.add(Cause.required("spec.names." + field));
      }
    }
    long stored =
        spec.path("versions").valueStream().filter(v -> v.path("storage").asBoolean()).count();
    if (stored != 1) {
      causes.add(
          Cause.invalid(
              "spec.versions", "must have exactly one version marked as storage version"));
    }
    spec.path("versions").forEach(version -> requireSchema(version, causes));
    if (isProtected(object) && !isWordOfApproval(approval(object))) {
      causes.add(
          approval(object).isEmpty()
              ? Cause.required("metadata.annotations[" + APPROVAL + "]")
              : Cause.invalid(
                  "metadata.annotations[" + APPROVAL + "]",
                  "\"%s\": must be a URL or start with \"unapproved\""
                      .formatted(approval(object))));
    }
    if (causes.isEmpty()) {
      // refuses unsupported CRDs before they are stored
      CustomRules.typesOf(object);
      spec.path("versions").forEach(DefinitionRules::requireColumns);
    }
    return causes;
  }

  private static void requireColumns(JsonNode version) {
    try {
      Tables.check(version.path("additionalPrinterColumns"));
    } catch (IllegalArgumentException e) {
      throw StatusException.notSimulated("such printer columns: " + e.getMessage());
    }
  }

  private static void requireSchema(JsonNode version, List<Cause> causes) {
    if (!JsonTrees.isPresent(JsonTrees.at(version, "schema", "openAPIV3Schema"))) {
      causes.add(Cause.required("spec.versions[*].schema.openAPIV3Schema"));
    }
  }

  /** Whether the group belongs to Kubernetes, which requires an approval annotation. */
  public static boolean isProtected(ObjectNode definition) {
    return PROTECTED.matcher(JsonTrees.text(definition, "spec", "group")).matches();
  }

  public static String approval(ObjectNode definition) {
    return JsonTrees.text(definition, "metadata", "annotations", APPROVAL);
  }

  public static boolean isUnapproved(String approval) {
    return approval.startsWith("unapproved");
  }

  private static boolean isWordOfApproval(String approval) {
    if (isUnapproved(approval)) {
      return true;
    }
    try {
      URI uri = URI.create(approval);
      return uri.isAbsolute() && uri.getHost() != null;
    } catch (IllegalArgumentException e) {
      // an annotation may contain any text
      return false;
    }
  }
}
