package dev.drydock.sim.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.DeleteOptions;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.Registry.Update;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.schema.CustomRules;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;
import dev.drydock.sim.types.BuiltInTypes;
import dev.drydock.sim.types.DefinitionRules;
import java.time.Clock;
import java.util.List;

/** Serves the types that CRDs define, and removes their objects with the CRD. */
final class DefinitionController implements Controller {
  private final Registry registry;
  private final ResourceType definitions;
  private final Clock clock;

  DefinitionController(Registry registry, Clock clock) {
    this.registry = registry;
    this.clock = clock;
    this.definitions =
        registry.types().require(BuiltInTypes.DEFINITIONS_GROUP, "customresourcedefinitions");
  }

  @Override
  public void changed(ObjectChange event) {
    if (!event.resource().equals(definitions.resource())) {
      finishDeletion(event);
    } else if (event.type() == ObjectChange.Type.DELETED) {
      registry.types().forget(event.key().name());
    } else if (!ObjectFacts.isDeleted(event.object())) {
      serve(event);
    } else {
      clear(event.key());
    }
  }

  private void serve(ObjectChange event) {
    ObjectNode before = event.previous();
    if (before == null || !before.path("spec").equals(event.object().path("spec"))) {
      // a resource is stored by the name that its CRD must have
      registry.types().define(event.key().name(), CustomRules.typesOf(event.object()));
    }
    registry.update(definitions, event.key(), Update.ofStatus(this::withStatus));
  }

  private ObjectNode withStatus(ObjectNode definition) {
    ObjectNode status = JsonTrees.child(definition, "status");
    status.set("acceptedNames", definition.path("spec").path("names").deepCopy());
    ArrayNode stored = status.putArray("storedVersions");
    definition
        .path("spec")
        .path("versions")
        .valueStream()
        .filter(version -> version.path("storage").asBoolean())
        .forEach(version -> stored.add(version.path("name")));
    ArrayNode conditions = status.withArray("conditions");
    set(conditions, "NamesAccepted", true, "NoConflicts", "no conflicts found");
    set(
        conditions,
        "Established",
        true,
        "InitialNamesAccepted",
        "the initial names have been accepted");
    if (DefinitionRules.isProtected(definition)) {
      String approval = DefinitionRules.approval(definition);
      boolean approved = !DefinitionRules.isUnapproved(approval);
      set(
          conditions,
          "KubernetesAPIApprovalPolicyConformant",
          approved,
          approved ? "ApprovedAnnotation" : "UnapprovedAnnotation",
          (approved ? "approved in " : "not approved: ") + approval);
    }
    return definition;
  }

  private void set(
      ArrayNode conditions, String type, boolean status, String reason, String message) {
    for (JsonNode condition : conditions) {
      if (JsonTrees.text(condition, "type").equals(type)) {
        return;
      }
    }
    conditions
        .addObject()
        .put("type", type)
        .put("status", status ? "True" : "False")
        .put("reason", reason)
        .put("message", message)
        .put("lastTransitionTime", ObjectFacts.stamp(clock));
  }

  private void clear(ObjectKey definition) {
    ResourceType type = registry.types().ofResource(definition.name());
    List<ObjectNode> left =
        type == null ? List.of() : registry.store().list(type.resource(), null).objects();
    if (left.isEmpty()) {
      registry.update(definitions, definition, Update.of(DefinitionController::withoutCleanup));
      return;
    }
    for (ObjectNode object : left) {
      if (type != null && !ObjectFacts.isDeleted(object)) {
        registry.delete(type, ObjectFacts.key(object), DeleteOptions.NONE);
      }
    }
  }

  /** The deletion of its last object may complete the deletion of a CRD. */
  private void finishDeletion(ObjectChange event) {
    ObjectKey key = new ObjectKey("", event.resource());
    ObjectNode definition = registry.store().get(definitions.resource(), key);
    if (event.type() == ObjectChange.Type.DELETED
        && definition != null
        && ObjectFacts.isDeleted(definition)) {
      clear(key);
    }
  }

  private static ObjectNode withoutCleanup(ObjectNode definition) {
    return ObjectFacts.withoutFinalizer(definition, DefinitionRules.CLEANUP);
  }
}
