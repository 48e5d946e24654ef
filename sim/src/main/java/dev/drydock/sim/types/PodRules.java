package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.Cause;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.select.FieldSelector.SelectableField;
import dev.drydock.sim.store.ObjectKey;
import dev.drydock.sim.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Pods: they have a grace period, and most of their fields are immutable. */
final class PodRules implements BuiltInRules {
  private static final int DEFAULT_GRACE = 30;
  private static final String PRIORITY_CLASSES = "priorityclasses.scheduling.k8s.io";
  private static final Set<String> FINISHED = Set.of("Succeeded", "Failed");
  private static final List<String> CHANGEABLE =
      List.of("activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds");

  @Override
  public List<String> categories() {
    return List.of("all");
  }

  @Override
  public Map<String, SelectableField> selectableFields() {
    Map<String, SelectableField> fields = new HashMap<>();
    for (String field :
        List.of(
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.schedulerName",
            "spec.serviceAccountName",
            "status.phase",
            "status.podIP",
            "status.nominatedNodeName")) {
      fields.put(field, SelectableField.of(field));
    }
    fields.put("spec.hostNetwork", new SelectableField(List.of("spec", "hostNetwork"), "false"));
    return fields;
  }

  @Override
  public void beforeCreate(ObjectNode object) {
    ObjectNode spec = JsonTrees.child(object, "spec");
    PodSpecs.fillIn(spec);
    if (!spec.has("enableServiceLinks")) {
      spec.put("enableServiceLinks", true);
    }
    DefaultTolerations.add(spec);
    object.putObject("status").put("phase", "Pending").put("qosClass", qosClass(spec));
  }

  /** Resolves the priority class. */
  @Override
  public void admit(ObjectNode pod, ResourceType type, Store store) {
    ObjectNode spec = JsonTrees.child(pod, "spec");
    String name = JsonTrees.text(spec, "priorityClassName");
    if (name.isEmpty()) {
      name =
          store.list(PRIORITY_CLASSES, null).objects().stream()
              .filter(each -> each.path("globalDefault").asBoolean())
              .map(each -> JsonTrees.text(each, "metadata", "name"))
              .findFirst()
              .orElse("");
    }
    if (name.isEmpty()) {
      PodSpecs.putIfAbsent(spec, "priority", 0);
      JsonTrees.putIfAbsent(spec, "preemptionPolicy", "PreemptLowerPriority");
      return;
    }
    ObjectNode priority = store.get(PRIORITY_CLASSES, new ObjectKey("", name));
    if (priority == null) {
      throw StatusException.forbidden(
          type,
          JsonTrees.text(pod, "metadata", "name"),
          "no PriorityClass with name %s was found".formatted(name));
    }
    spec.put("priorityClassName", name).put("priority", priority.path("value").asInt());
    JsonTrees.copy(spec, "preemptionPolicy", priority.path("preemptionPolicy"));
  }

  private static String qosClass(JsonNode spec) {
    boolean any = false;
    boolean all = true;
    for (JsonNode container : spec.path("containers")) {
      JsonNode limits = JsonTrees.at(container, "resources", "limits");
      JsonNode requests = JsonTrees.at(container, "resources", "requests");
      any |= !limits.isEmpty() || !requests.isEmpty();
      for (String resource : List.of("cpu", "memory")) {
        // a missing request defaults to the limit
        all &=
            limits.has(resource)
                && (!requests.has(resource) || requests.get(resource).equals(limits.get(resource)));
      }
    }
    return !any ? "BestEffort" : all ? "Guaranteed" : "Burstable";
  }

  @Override
  public List<Cause> validate(ObjectNode object, @Nullable ObjectNode before) {
    List<Cause> causes = new ArrayList<>();
    causes.addAll(PodSpecs.validate(object.path("spec"), "spec"));
    if (before != null && !unchangeable(object).equals(unchangeable(before))) {
      causes.add(
          Cause.forbidden(
              "spec",
              "pod updates may not change fields other than `spec.containers[*].image`,"
                  + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
                  + "`spec.tolerations` (only additions to existing tolerations),"
                  + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was"
                  + " previously negative)"));
    }
    return causes;
  }

  private static JsonNode unchangeable(ObjectNode pod) {
    ObjectNode spec = pod.path("spec").deepCopy();
    spec.remove(CHANGEABLE);
    for (String containers : List.of("containers", "initContainers")) {
      spec.path(containers).forEach(container -> ((ObjectNode) container).remove("image"));
    }
    return spec;
  }

  /** A pod that is unassigned or finished has no grace period. */
  @Override
  public long graceSeconds(ObjectNode pod, @Nullable Long asked) {
    if (JsonTrees.text(pod, "spec", "nodeName").isEmpty()
        || FINISHED.contains(JsonTrees.text(pod, "status", "phase"))) {
      return 0;
    }
    long grace =
        asked == null
            ? JsonTrees.at(pod, "spec", "terminationGracePeriodSeconds").asLong(DEFAULT_GRACE)
            : asked;
    return grace < 0 ? 1 : grace;
  }
}
