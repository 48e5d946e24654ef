package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.Cause;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.json.JsonTrees;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Jobs: their pods are selected by the Job's UID. */
final class JobRules implements BuiltInRules {
  private static final int RETRIES = 6;
  private static final String CONTROLLER_UID = "controller-uid";
  private static final String JOB_NAME = "job-name";
  private static final String PREFIX = "batch.kubernetes.io/";

  @Override
  public List<String> categories() {
    return List.of("all");
  }

  @Override
  public void beforeCreate(ObjectNode object) {
    object.putObject("status");
    ObjectNode spec = JsonTrees.child(object, "spec");
    if (!spec.has("completions") && !spec.has("parallelism")) {
      spec.put("completions", 1);
    }
    PodSpecs.putIfAbsent(spec, "parallelism", 1);
    PodSpecs.putIfAbsent(spec, "backoffLimit", RETRIES);
    JsonTrees.putIfAbsent(spec, "completionMode", "NonIndexed");
    JsonTrees.putIfAbsent(spec, "podReplacementPolicy", "TerminatingOrFailed");
    if (!spec.has("suspend")) {
      spec.put("suspend", false);
    }
    ObjectNode template = JsonTrees.child(spec, "template");
    if (!spec.path("manualSelector").asBoolean()) {
      select(object, spec, JsonTrees.child(JsonTrees.metadata(template), "labels"));
    }
    fillIn(template);
  }

  private static void select(ObjectNode job, ObjectNode spec, ObjectNode labels) {
    String uid = ObjectFacts.uid(job);
    String name = ObjectFacts.key(job).name();
    labels.put(PREFIX + CONTROLLER_UID, uid).put(CONTROLLER_UID, uid);
    labels.put(PREFIX + JOB_NAME, name).put(JOB_NAME, name);
    JsonTrees.child(JsonTrees.child(spec, "selector"), "matchLabels")
        .put(PREFIX + CONTROLLER_UID, uid);
  }

  /** The restart policy must be set explicitly. */
  private static void fillIn(ObjectNode template) {
    ObjectNode spec = JsonTrees.child(template, "spec");
    boolean said = spec.has("restartPolicy");
    PodSpecs.fillIn(spec);
    if (!said) {
      spec.remove("restartPolicy");
    }
  }

  @Override
  public void beforeUpdate(ObjectNode object, ObjectNode before) {
    fillIn(JsonTrees.child(JsonTrees.child(object, "spec"), "template"));
  }

  @Override
  public List<Cause> validate(ObjectNode object, @Nullable ObjectNode before) {
    JsonNode spec = object.path("spec");
    List<Cause> causes =
        new ArrayList<>(
            PodSpecs.validate(JsonTrees.at(spec, "template", "spec"), "spec.template.spec"));
    String restart = JsonTrees.text(spec, "template", "spec", "restartPolicy");
    if (!List.of("OnFailure", "Never").contains(restart)) {
      causes.add(
          restart.isEmpty() || restart.equals("Always")
              ? new Cause(
                  "FieldValueRequired",
                  "spec.template.spec.restartPolicy",
                  "Required value: valid values: \"OnFailure\", \"Never\"")
              : Cause.unsupported(
                  "spec.template.spec.restartPolicy", restart, "OnFailure", "Never"));
    }
    if (before != null) {
      for (String field : List.of("completions", "selector", "template", "completionMode")) {
        if (!spec.path(field).equals(before.path("spec").path(field))) {
          causes.add(Cause.invalid("spec." + field, spec.path(field) + ": field is immutable"));
        }
      }
    }
    return causes;
  }
}
