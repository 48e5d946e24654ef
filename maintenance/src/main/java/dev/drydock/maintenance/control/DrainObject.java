package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.drain.request.DrainRequestManifest;
import dev.drydock.drain.request.decide.DrainRequestReport;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.CompletionObject;
import dev.drydock.kube.CompletionObject.Progress;
import dev.drydock.kube.ObjectName;
import dev.drydock.maintenance.decide.ClassAutomationInput.DrainProgress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The object that requests the drain of a node for a class: a DrainRequest, a LifecycleEvent, or a
 * resource of any kind that ends up with a condition.
 */
record DrainObject(CompletionObject object) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The API of nodes' transitions, as drivers and their claimers know it. */
  private static final String LIFECYCLE =
      LifecycleNames.COMPAT_GROUP + "/" + LifecycleNames.VERSION;

  /** Drydock's own group of that API, for clusters in which another API hides the first one. */
  private static final String OWN_LIFECYCLE =
      LifecycleNames.OWN_GROUP + "/" + LifecycleNames.VERSION;

  /** Fields of the spec that say what is drained, and by whom. */
  private static final List<String> DECIDING =
      List.of("nodeName", "drainer", "bindingNode", "transitionName");

  /** Finalizer on objects that their controller deletes. */
  static final String FINALIZER = "drydock.dev/maintenance";

  /** Null if the class leaves the drain to another client. */
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

  /**
   * What a class may have made for a maintenance, of the kinds that are known without it: the class
   * may be gone, or may drain in another way by now. Their specs do not matter.
   */
  static List<DrainObject> possible(NotifyMaintenanceObject seen) {
    return List.of(request(seen, null, null), event(seen, ""));
  }

  /** The claimer deletes the event at its end; the finalizer keeps it until its result was read. */
  private static DrainObject event(NotifyMaintenanceObject seen, String transition) {
    ObjectNode body = body(seen, "LifecycleEvent");
    ObjectNode metadata = (ObjectNode) body.path("metadata");
    String namespace = seen.facts().identity().namespace();
    metadata.remove("namespace");
    metadata.put("name", ObjectName.of(namespace + "." + seen.facts().identity().name()));
    metadata.putArray("finalizers").add(FINALIZER);
    ((ObjectNode) metadata.path("annotations"))
        .put(LifecycleNames.ON_BEHALF_OF, seen.facts().holder());
    metadata.putObject("labels").put(JobObject.MAINTENANCE, seen.uid());
    body.putObject("spec")
        .put("transitionName", transition)
        .put("bindingNode", seen.facts().node());
    return new DrainObject(
        new CompletionObject(
            List.of(LIFECYCLE, OWN_LIFECYCLE),
            "LifecycleEvent",
            "",
            body,
            CompletionObject.Completion.UNKNOWN));
  }

  private static DrainObject request(
      NotifyMaintenanceObject seen,
      @Nullable String drainer,
      DrainRequestSpec.@Nullable Policy policy) {
    String namespace = seen.facts().identity().namespace();
    String reason = "maintenance " + seen.facts().spec().maintenanceID();
    ObjectNode body =
        DrainRequestManifest.of(
            namespace,
            seen.facts().identity().name(),
            DrainRequestSpec.of(seen.facts().node(), reason, drainer, policy));
    body.withObject("/metadata/annotations").put(JobObject.NODE, seen.facts().node());
    body.withObject("/metadata/labels").put(JobObject.MAINTENANCE, seen.uid());
    return conditional(text(body, "apiVersion"), body, namespace, DrainRequest.COMPLETE_CONDITION);
  }

  private static DrainObject fromTemplate(
      NotifyMaintenanceObject seen, MaintenanceClassSpec.DrainByTemplate template) {
    String namespace =
        template.namespace() == null ? seen.facts().identity().namespace() : template.namespace();
    Map<String, String> values = values(seen);
    ObjectNode body = body(seen, template.kind());
    ObjectNode metadata = (ObjectNode) body.path("metadata");
    metadata.put("namespace", namespace);
    ObjectNode labels = metadata.putObject("labels");
    if (template.labels() != null) {
      template
          .labels()
          .forEach((name, value) -> labels.put(name, CompletionObject.fill(value, values)));
    }
    labels.put(JobObject.MAINTENANCE, seen.uid());
    body.set("spec", CompletionObject.fill(JSON.valueToTree(template.spec()), values));
    return conditional(template.apiVersion(), body, namespace, template.completionCondition());
  }

  private static DrainObject conditional(
      String apiVersion, ObjectNode body, String namespace, String condition) {
    return new DrainObject(
        new CompletionObject(
            List.of(apiVersion),
            text(body, "kind"),
            namespace,
            body,
            new CompletionObject.Completion(condition, DrainRequestReport.Reason.failures())));
  }

  private static ObjectNode body(NotifyMaintenanceObject seen, String kind) {
    ObjectNode body = JSON.createObjectNode().put("kind", kind);
    ObjectNode metadata = body.putObject("metadata");
    metadata.put("name", seen.facts().identity().name());
    metadata.put("namespace", seen.facts().identity().namespace());
    metadata.putObject("annotations").put(JobObject.NODE, seen.facts().node());
    return body;
  }

  private static Map<String, String> values(NotifyMaintenanceObject seen) {
    return Map.of(
        "node", seen.facts().node(),
        "id", seen.facts().spec().maintenanceID(),
        "name", seen.facts().identity().name(),
        "namespace", seen.facts().identity().namespace());
  }

  /** Whether the API server has both under one name. */
  boolean isNamedLike(DrainObject other) {
    return object.apiVersions().equals(other.object.apiVersions())
        && object.kind().equals(other.object.kind())
        && object.namespace().equals(other.object.namespace())
        && object.name().equals(other.object.name());
  }

  /** The progress of the drain. */
  DrainProgress emptying(Progress progress) {
    return switch (progress) {
      case Progress.Complete(ApiObject there) when !asksFor(there) -> another();
      case Progress.Pending(ApiObject there, String _) when !asksFor(there) -> another();
      case Progress.Unknown(String why) when why.isEmpty() -> new DrainProgress.UnderWay("");
      case Progress.Unknown(String why) ->
          new DrainProgress.UnderWay("%s objects to be seen: %s".formatted(object.kind(), why));
      case Progress.Absent() -> new DrainProgress.NotBegun();
      case Progress.Complete(ApiObject _) -> new DrainProgress.Done();
      case Progress.Failed(ApiObject _, String _, String message) ->
          new DrainProgress.Failed("%s: %s".formatted(object, message));
      case Progress.Pending(ApiObject there, String reason) ->
          object.completion().condition().isEmpty()
              ? readEvent(there.root())
              : pending(there.root(), reason);
    };
  }

  /** Whether it asks for this drain: of this node, by this drainer. */
  private boolean asksFor(ApiObject there) {
    return DECIDING.stream()
        .allMatch(
            field -> text(there.spec(), field).equals(text(object.body().path("spec"), field)));
  }

  private DrainProgress another() {
    return new DrainProgress.Failed(object + " asks for another drain than the class; delete it");
  }

  private DrainProgress pending(JsonNode there, String reason) {
    if (isLooking(there, reason)) {
      return new DrainProgress.UnderWay(""); // for a moment only; the next state includes the plan
    }
    // Not its message: that counts pods, and would be written every second.
    return new DrainProgress.UnderWay(
        hasCondition(there)
            ? "%s: %s%s".formatted(object, reason, blockers(there))
            : "%s to be served: condition %s".formatted(object, object.completion().condition()));
  }

  private boolean hasCondition(JsonNode there) {
    return ApiObject.of(there).conditions().get(object.completion().condition()).isPresent();
  }

  /** Our own engine has begun and is about to say what must go. */
  private boolean isLooking(JsonNode there, String reason) {
    return text(object.body().path("spec"), "drainer").equals(DrainRequest.BUILTIN_DRAINER)
        && reason.equals(DrainRequestReport.Reason.Draining.name())
        && !there.path("status").path("podsLeft").isNumber();
  }

  private DrainProgress readEvent(JsonNode event) {
    String what = object.toString();
    ClaimStatus claim = ClaimStatus.of(text(event.path("status"), "claimStatus"));
    boolean deleted = event.path("metadata").hasNonNull("deletionTimestamp");
    if (deleted && !claim.isTerminal()) {
      return new DrainProgress.Failed(what + " was deleted before it was done");
    }
    return switch (claim) {
      case Succeeded -> new DrainProgress.Done();
      case Failed, SlaExpired -> new DrainProgress.Failed(what + ": " + claim);
      case Claimed ->
          new DrainProgress.UnderWay(what + ": driver " + text(event.path("status"), "driver"));
      case Pending -> new DrainProgress.UnderWay(what + " to be claimed on the node");
    };
  }

  private static String blockers(JsonNode object) {
    JsonNode first = object.path("status").path("blockers").path(0);
    return first.isMissingNode() ? "" : "; " + text(first, "message");
  }
}
