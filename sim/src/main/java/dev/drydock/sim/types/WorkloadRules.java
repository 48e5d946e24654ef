package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.Cause;
import dev.drydock.sim.api.ScalePaths;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.select.LabelSelectors;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Workloads with a pod template: Deployments, ReplicaSets, DaemonSets, StatefulSets. */
final class WorkloadRules implements BuiltInRules {
  /** The default revisionHistoryLimit. */
  private static final int REVISIONS = 10;

  private static final int PROGRESS_DEADLINE_SECONDS = 600;
  private static final List<String> CHANGEABLE_IN_STATEFUL_SETS =
      List.of(
          "replicas",
          "ordinals",
          "template",
          "updateStrategy",
          "revisionHistoryLimit",
          "persistentVolumeClaimRetentionPolicy",
          "minReadySeconds");

  private final String kind;

  WorkloadRules(String kind) {
    this.kind = kind;
  }

  @Override
  public List<String> categories() {
    return List.of("all");
  }

  @Override
  public @Nullable ScalePaths scale() {
    return kind.equals("DaemonSet") ? null : ScalePaths.DEFAULT;
  }

  @Override
  public void beforeCreate(ObjectNode object) {
    object.putObject("status");
    fillIn(object);
  }

  @Override
  public void beforeUpdate(ObjectNode object, ObjectNode before) {
    fillIn(object);
  }

  private void fillIn(ObjectNode object) {
    ObjectNode spec = JsonTrees.child(object, "spec");
    if (scale() != null) {
      PodSpecs.putIfAbsent(spec, "replicas", 1);
    }
    switch (kind) {
      case "Deployment" -> {
        roll(JsonTrees.child(spec, "strategy"), "25%", "25%");
        PodSpecs.putIfAbsent(spec, "progressDeadlineSeconds", PROGRESS_DEADLINE_SECONDS);
      }
      case "DaemonSet" -> rollNodeByNode(JsonTrees.child(spec, "updateStrategy"));
      case "StatefulSet" -> fillInStatefulSet(spec);
      default -> {}
    }
    if (!kind.startsWith("Replica")) {
      PodSpecs.putIfAbsent(spec, "revisionHistoryLimit", REVISIONS);
    }
    ObjectNode template = JsonTrees.child(spec, "template");
    JsonTrees.child(template, "metadata");
    PodSpecs.fillIn(JsonTrees.child(template, "spec"));
    if (kind.equals("ReplicationController") && spec.path("selector").isEmpty()) {
      JsonTrees.copy(spec, "selector", JsonTrees.at(template, "metadata", "labels"));
    }
  }

  private static void roll(ObjectNode strategy, String surge, String unavailable) {
    JsonTrees.putIfAbsent(strategy, "type", "RollingUpdate");
    if (JsonTrees.text(strategy, "type").equals("RollingUpdate")) {
      ObjectNode rolling = JsonTrees.child(strategy, "rollingUpdate");
      JsonTrees.putIfAbsent(rolling, "maxSurge", surge);
      JsonTrees.putIfAbsent(rolling, "maxUnavailable", unavailable);
    }
  }

  private static void rollNodeByNode(ObjectNode strategy) {
    JsonTrees.putIfAbsent(strategy, "type", "RollingUpdate");
    if (JsonTrees.text(strategy, "type").equals("RollingUpdate")) {
      ObjectNode rolling = JsonTrees.child(strategy, "rollingUpdate");
      PodSpecs.putIfAbsent(rolling, "maxSurge", 0);
      PodSpecs.putIfAbsent(rolling, "maxUnavailable", 1);
    }
  }

  private static void fillInStatefulSet(ObjectNode spec) {
    JsonTrees.putIfAbsent(spec, "podManagementPolicy", "OrderedReady");
    ObjectNode strategy = JsonTrees.child(spec, "updateStrategy");
    JsonTrees.putIfAbsent(strategy, "type", "RollingUpdate");
    if (JsonTrees.text(strategy, "type").equals("RollingUpdate")) {
      PodSpecs.putIfAbsent(JsonTrees.child(strategy, "rollingUpdate"), "partition", 0);
    }
    ObjectNode claims = JsonTrees.child(spec, "persistentVolumeClaimRetentionPolicy");
    JsonTrees.putIfAbsent(claims, "whenDeleted", "Retain");
    JsonTrees.putIfAbsent(claims, "whenScaled", "Retain");
  }

  @Override
  public List<Cause> validate(ObjectNode object, @Nullable ObjectNode before) {
    List<Cause> causes = new ArrayList<>();
    JsonNode spec = object.path("spec");
    if (spec.path("replicas").asInt() < 0) {
      causes.add(
          Cause.invalid(
              "spec.replicas", spec.path("replicas") + ": must be greater than or equal to 0"));
    }
    validateSelector(spec, causes);
    causes.addAll(PodSpecs.validate(JsonTrees.at(spec, "template", "spec"), "spec.template.spec"));
    String restart = JsonTrees.text(spec, "template", "spec", "restartPolicy");
    if (!restart.equals("Always")) {
      causes.add(Cause.unsupported("spec.template.spec.restartPolicy", restart, "Always"));
    }
    if (before != null) {
      validateChange(spec, before.path("spec"), causes);
    }
    return causes;
  }

  private void validateSelector(JsonNode spec, List<Cause> causes) {
    JsonNode selector = spec.path("selector");
    JsonNode labels = JsonTrees.at(spec, "template", "metadata", "labels");
    if (kind.equals("ReplicationController")) {
      // its selector is a plain map that defaults to the labels
      return;
    }
    if (!JsonTrees.isPresent(selector)) {
      causes.add(Cause.required("spec.selector"));
    } else if (selector.isEmpty()) {
      causes.add(
          Cause.invalid(
              "spec.selector",
              "{}: empty selector is invalid for " + kind.toLowerCase(java.util.Locale.ROOT)));
      return;
    }
    if (!JsonTrees.isPresent(selector)
        || !LabelSelectors.matches(LabelSelectors.of(selector), spec.path("template"))) {
      causes.add(
          Cause.invalid(
              "spec.template.metadata.labels",
              "%s: `selector` does not match template `labels`"
                  .formatted(JsonTrees.isPresent(labels) ? labels : "null")));
    }
  }

  private void validateChange(JsonNode spec, JsonNode before, List<Cause> causes) {
    if (kind.equals("StatefulSet")) {
      if (!fixedPart(spec).equals(fixedPart(before))) {
        causes.add(
            Cause.forbidden(
                "spec",
                "updates to statefulset spec for fields other than 'replicas', 'ordinals',"
                    + " 'template', 'updateStrategy', 'revisionHistoryLimit',"
                    + " 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are"
                    + " forbidden"));
      }
    } else if (!kind.equals("ReplicationController")
        && !spec.path("selector").equals(before.path("selector"))) {
      causes.add(Cause.invalid("spec.selector", spec.path("selector") + ": field is immutable"));
    }
  }

  private static JsonNode fixedPart(JsonNode spec) {
    ObjectNode fixed = spec.deepCopy();
    fixed.remove(CHANGEABLE_IN_STATEFUL_SETS);
    return fixed;
  }
}
