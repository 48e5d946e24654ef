package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.LabelSelector;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.select.LabelSelectors;
import dev.drydock.sim.store.ObjectKey;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One webhook of a configuration, and what it is called for. */
record Webhook(JsonNode json) {
  private static final String ANY = "*";

  String name() {
    return JsonTrees.text(json, "name");
  }

  boolean mayFail() {
    return JsonTrees.text(json, "failurePolicy").equals("Ignore");
  }

  /** Whether its rules match the request, regardless of the object. */
  boolean isAbout(AdmissionRequest admissionRequest, Registry registry) {
    if (isAbout(admissionRequest, admissionRequest.target().type())) {
      return true;
    }
    ResourceType asked = admissionRequest.target().type();
    boolean otherVersion =
        JsonTrees.text(json, "matchPolicy").equals("Equivalent")
            && registry.types().all().stream()
                .filter(type -> type.resource().equals(asked.resource()))
                .anyMatch(type -> isAbout(admissionRequest, type));
    if (otherVersion) {
      throw StatusException.notSimulated(
          "the webhook %s matches another version of %s than the one written; list all versions in its rules"
              .formatted(name(), asked.names().plural()));
    }
    return false;
  }

  private boolean isAbout(AdmissionRequest admissionRequest, ResourceType type) {
    return json.path("rules").valueStream().anyMatch(rule -> matches(rule, admissionRequest, type));
  }

  private static boolean matches(
      JsonNode rule, AdmissionRequest admissionRequest, ResourceType type) {
    return names(rule, "operations", admissionRequest.operation())
        && names(rule, "apiGroups", type.group())
        && names(rule, "apiVersions", type.version())
        && JsonTrees.texts(rule.path("resources")).stream()
            .anyMatch(each -> isResource(each, admissionRequest.resource()))
        && isScope(JsonTrees.text(rule, "scope"), type);
  }

  private static boolean names(JsonNode rule, String field, String value) {
    List<String> named = JsonTrees.texts(rule.path(field));
    return named.contains(ANY) || named.contains(value);
  }

  private static boolean isResource(String named, String resource) {
    String[] asked = named.split("/", 2);
    String[] actual = resource.split("/", 2);
    boolean main = asked[0].equals(ANY) || asked[0].equals(actual[0]);
    if (asked.length == 1) {
      return main && actual.length == 1;
    }
    boolean all = named.equals("*/*") || (asked[1].equals(ANY) && actual.length == 1);
    boolean sub = actual.length == 2 && (asked[1].equals(ANY) || asked[1].equals(actual[1]));
    return main && (all || sub);
  }

  private static boolean isScope(String scope, ResourceType type) {
    return switch (scope.toLowerCase(Locale.ROOT)) {
      case "namespaced" -> type.namespaced();
      case "cluster" -> !type.namespaced();
      default -> true;
    };
  }

  /** Whether its selectors match these objects, either of which may be missing. */
  boolean selects(
      AdmissionRequest admissionRequest,
      @Nullable ObjectNode object,
      @Nullable ObjectNode old,
      Registry registry) {
    LabelSelector objects = LabelSelectors.of(json.path("objectSelector"));
    boolean selected =
        (object != null && LabelSelectors.matches(objects, object))
            || (old != null && LabelSelectors.matches(objects, old));
    return selected && isInNamespace(admissionRequest, object, registry);
  }

  /** Cluster-scoped objects match any namespace selector. */
  private boolean isInNamespace(
      AdmissionRequest admissionRequest, @Nullable ObjectNode object, Registry registry) {
    LabelSelector selector = LabelSelectors.of(json.path("namespaceSelector"));
    ResourceType namespaces = registry.types().require("", "namespaces");
    if (admissionRequest.target().type().equals(namespaces)) {
      return object == null || LabelSelectors.matches(selector, object);
    }
    String name = admissionRequest.target().namespace();
    ObjectNode namespace = registry.store().get(namespaces.resource(), new ObjectKey("", name));
    return name.isEmpty() || (namespace != null && LabelSelectors.matches(selector, namespace));
  }
}
