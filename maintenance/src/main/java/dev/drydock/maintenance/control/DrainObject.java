package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.drain.request.decide.DrainRequestReport;
import dev.drydock.maintenance.decide.ClassAutomationInput.Emptying;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The object by which a class has a node emptied, whoever serves it: a DrainRequest, a
 * LifecycleEvent, or a resource of any kind that ends up with a condition.
 *
 * @param namespace empty for a resource that is in none
 * @param condition True when the node is empty; empty for a LifecycleEvent, which has none
 */
record DrainObject(
    String apiVersion, String kind, String namespace, String condition, ObjectNode body) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The API of nodes' transitions, as drivers and their claimers know it. */
  private static final String LIFECYCLE =
      LifecycleNames.COMPAT_GROUP + "/" + LifecycleNames.VERSION;

  /** The same in a group that is there where another API hides that one. */
  private static final String OWN_LIFECYCLE =
      LifecycleNames.OWN_GROUP + "/" + LifecycleNames.VERSION;

  /** On an object that who serves it deletes. */
  static final String FINALIZER = "drydock.dev/maintenance";

  /** Conditions with these reasons will not become True by themselves. */
  private static final Set<String> HOPELESS =
      Set.of("DrainFailed", "InvalidRequest", "NodeNotFound", "DrainCancelled");

  /** Null if the class leaves that to somebody else. */
  static @Nullable DrainObject of(MaintenanceClassSpec.Drain drain, NotifyMaintenanceObject seen) {
    if (drain.builtin() != null) {
      return request(seen, DrainRequest.BUILTIN_DRAINER, drain.builtin().policy());
    }
    if (drain.drainRequest() != null) {
      return request(seen, drain.drainRequest().drainer(), drain.drainRequest().policy());
    }
    if (drain.lifecycleEvent() != null) {
      return event(seen, drain.lifecycleEvent().transitionName());
    }
    return drain.template() == null ? null : fromTemplate(seen, drain.template());
  }

  /** Who serves it deletes it in the end; the finalizer keeps what became of it to be seen. */
  private static DrainObject event(NotifyMaintenanceObject seen, String transition) {
    ObjectNode body = body(seen, LIFECYCLE, "LifecycleEvent");
    ObjectNode metadata = (ObjectNode) body.path("metadata");
    String namespace = seen.facts().identity().namespace();
    metadata.remove("namespace");
    metadata.put("name", namespace + "." + seen.facts().identity().name());
    metadata.putArray("finalizers").add(FINALIZER);
    ((ObjectNode) metadata.path("annotations"))
        .put(LifecycleNames.ON_BEHALF_OF, ClassAutomation.holder(seen.facts()));
    metadata.putObject("labels").put(JobObject.MAINTENANCE, seen.uid());
    body.putObject("spec")
        .put("transitionName", transition)
        .put("bindingNode", seen.facts().node());
    return new DrainObject(LIFECYCLE, "LifecycleEvent", "", "", body);
  }

  private static DrainObject request(
      NotifyMaintenanceObject seen,
      @Nullable String drainer,
      DrainRequestSpec.@Nullable Policy policy) {
    ObjectNode spec = JSON.createObjectNode();
    spec.put("nodeName", seen.facts().node());
    spec.put("reason", "maintenance " + seen.facts().spec().maintenanceID());
    if (drainer != null) {
      spec.put("drainer", drainer);
    }
    if (policy != null) {
      spec.set("policy", JSON.valueToTree(policy));
    }
    ObjectNode body = body(seen, DrainRequest.GROUP + "/" + DrainRequest.VERSION, "DrainRequest");
    if (drainer != null) {
      ((ObjectNode) body.path("metadata").path("annotations"))
          .put(DrainRequest.DRAINER_ANNOTATION, drainer);
    }
    ((ObjectNode) body.path("metadata"))
        .putObject("labels")
        .put(DrainRequest.NODE_LABEL, labelValue(seen.facts().node()))
        .put(JobObject.MAINTENANCE, seen.uid());
    body.set("spec", spec);
    return new DrainObject(
        text(body, "apiVersion"),
        "DrainRequest",
        seen.facts().identity().namespace(),
        DrainRequest.COMPLETE_CONDITION,
        body);
  }

  private static String labelValue(String node) {
    return node.length() > 63 ? node.substring(0, 63) : node;
  }

  private static DrainObject fromTemplate(
      NotifyMaintenanceObject seen, MaintenanceClassSpec.DrainByTemplate template) {
    String namespace =
        template.namespace() == null ? seen.facts().identity().namespace() : template.namespace();
    ObjectNode body = body(seen, template.apiVersion(), template.kind());
    ObjectNode metadata = (ObjectNode) body.path("metadata");
    metadata.put("namespace", namespace);
    ObjectNode labels = metadata.putObject("labels");
    if (template.labels() != null) {
      template.labels().forEach((name, value) -> labels.put(name, fill(value, seen)));
    }
    labels.put(JobObject.MAINTENANCE, seen.uid());
    body.set("spec", fill(JSON.valueToTree(template.spec()), seen));
    return new DrainObject(
        template.apiVersion(), template.kind(), namespace, template.completionCondition(), body);
  }

  private static ObjectNode body(NotifyMaintenanceObject seen, String apiVersion, String kind) {
    ObjectNode body = JSON.createObjectNode().put("apiVersion", apiVersion).put("kind", kind);
    ObjectNode metadata = body.putObject("metadata");
    metadata.put("name", seen.facts().identity().name());
    metadata.put("namespace", seen.facts().identity().namespace());
    metadata.putObject("annotations").put(JobObject.NODE, seen.facts().node());
    return body;
  }

  private static JsonNode fill(JsonNode given, NotifyMaintenanceObject seen) {
    if (given.isTextual()) {
      return JSON.getNodeFactory().textNode(fill(given.asText(), seen));
    }
    if (given.isObject()) {
      ((ObjectNode) given)
          .properties()
          .forEach(field -> field.setValue(fill(field.getValue(), seen)));
    } else if (given.isArray()) {
      for (int i = 0; i < given.size(); i++) {
        ((ArrayNode) given).set(i, fill(given.get(i), seen));
      }
    }
    return given;
  }

  private static String fill(String text, NotifyMaintenanceObject seen) {
    Map<String, String> values =
        Map.of(
            "${node}", seen.facts().node(),
            "${id}", seen.facts().spec().maintenanceID(),
            "${name}", seen.facts().identity().name(),
            "${namespace}", seen.facts().identity().namespace());
    String filled = text;
    for (Map.Entry<String, String> value : values.entrySet()) {
      filled = filled.replace(value.getKey(), value.getValue());
    }
    return filled;
  }

  String name() {
    return text(body.path("metadata"), "name");
  }

  /** The same object in the other API group that has its kind, if there is one. */
  Optional<DrainObject> twin() {
    if (!apiVersion.equals(LIFECYCLE)) {
      return Optional.empty();
    }
    ObjectNode other = body.deepCopy().put("apiVersion", OWN_LIFECYCLE);
    return Optional.of(new DrainObject(OWN_LIFECYCLE, kind, namespace, condition, other));
  }

  /** How far the drain is, by the object as it stands. */
  Emptying read(JsonNode object) {
    if (condition.isEmpty()) {
      return readEvent(object);
    }
    for (JsonNode each : object.path("status").path("conditions")) {
      if (!text(each, "type").equals(condition)) {
        continue;
      }
      if (text(each, "status").equals("True")) {
        return new Emptying.Done();
      }
      if (isLooking(object, text(each, "reason"))) {
        return new Emptying.UnderWay(""); // for a moment only; the plan is told with what follows
      }
      // Not its message while it is under way: that counts pods, and would be written every second.
      return HOPELESS.contains(text(each, "reason"))
          ? new Emptying.Failed("%s %s: %s".formatted(kind, name(), text(each, "message")))
          : new Emptying.UnderWay(
              "%s %s: %s%s".formatted(kind, name(), text(each, "reason"), blockers(object)));
    }
    return new Emptying.UnderWay(
        "%s %s to be served: condition %s".formatted(kind, name(), condition));
  }

  /** Our own engine has begun and is about to say what must go. */
  private boolean isLooking(JsonNode object, String reason) {
    return text(body.path("spec"), "drainer").equals(DrainRequest.BUILTIN_DRAINER)
        && reason.equals(DrainRequestReport.Reason.Draining.name())
        && !object.path("status").path("podsLeft").isNumber();
  }

  private Emptying readEvent(JsonNode event) {
    String what = "LifecycleEvent " + name();
    String claim = text(event.path("status"), "claimStatus");
    boolean deleted = event.path("metadata").hasNonNull("deletionTimestamp");
    return switch (claim) {
      case "Succeeded" -> new Emptying.Done();
      case "Failed", "SlaExpired" -> new Emptying.Failed(what + ": " + claim);
      case "Claimed" ->
          deleted
              ? new Emptying.Failed(what + " was deleted before it was done")
              : new Emptying.UnderWay(what + ": driver " + text(event.path("status"), "driver"));
      default ->
          deleted
              ? new Emptying.Failed(what + " was deleted before it was done")
              : new Emptying.UnderWay(what + " to be claimed on the node");
    };
  }

  private static String blockers(JsonNode object) {
    JsonNode first = object.path("status").path("blockers").path(0);
    return first.isMissingNode() ? "" : "; " + text(first, "message");
  }
}
