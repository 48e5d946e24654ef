package dev.drydock.simulate.export;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.LabelSelector.Operator;
import dev.drydock.contracts.LabelSelector.Requirement;
import dev.drydock.sim.kubelet.Knob;
import dev.drydock.simulate.fleet.Toleration;
import dev.drydock.simulate.fleet.Workload.Times;
import dev.drydock.simulate.fleet.Workload.Traits;
import dev.drydock.simulate.fleet.Workload.Where;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The properties of one pod that represent all pods of its owner. */
record PodProfile(
    Map<String, String> labels,
    Map<String, String> requests,
    List<String> selectors,
    List<Toleration> tolerations,
    Duration grace,
    int priority,
    boolean emptyDir,
    Map<String, String> knobs) {

  /** Labels that controllers set for pods and revisions, or that describe where a pod runs. */
  private static final Set<String> OF_ONE_POD =
      Set.of(
          "pod-template-hash",
          "controller-revision-hash",
          "pod-template-generation",
          "statefulset.kubernetes.io/pod-name",
          "apps.kubernetes.io/pod-index",
          "batch.kubernetes.io/job-completion-index",
          "batch.kubernetes.io/controller-uid",
          "batch.kubernetes.io/job-name",
          "controller-uid",
          "job-name",
          "topology.kubernetes.io/region",
          "topology.kubernetes.io/zone");

  static PodProfile of(JsonNode pod) {
    JsonNode spec = pod.path("spec");
    Map<String, String> labels = StringMaps.of(pod.path("metadata").path("labels"));
    labels.keySet().removeAll(OF_ONE_POD);
    Map<String, String> annotations = StringMaps.of(pod.path("metadata").path("annotations"));
    boolean emptyDir = false;
    for (JsonNode volume : spec.path("volumes")) {
      emptyDir |= volume.has("emptyDir");
    }
    return new PodProfile(
        labels,
        RoundedQuantities.requests(spec),
        selectors(spec),
        tolerations(spec.path("tolerations")),
        Duration.ofSeconds(spec.path("terminationGracePeriodSeconds").asLong(30)),
        spec.path("priority").asInt(0),
        emptyDir,
        annotations);
  }

  /** Any of the terms of its affinity, each combined with its node selector. */
  private static List<String> selectors(JsonNode spec) {
    List<Requirement> always = new ArrayList<>();
    StringMaps.of(spec.path("nodeSelector"))
        .forEach((key, value) -> always.add(Requirement.of(key, Operator.IN, value)));
    List<String> selectors = new ArrayList<>();
    JsonNode terms =
        spec.path("affinity")
            .path("nodeAffinity")
            .path("requiredDuringSchedulingIgnoredDuringExecution")
            .path("nodeSelectorTerms");
    for (JsonNode term : terms) {
      if (term.path("matchExpressions").isEmpty()) {
        continue; // by name, as a DaemonSet places its pods
      }
      List<Requirement> all = new ArrayList<>(always);
      for (JsonNode expression : term.path("matchExpressions")) {
        requirement(expression).ifPresent(all::add);
      }
      selectors.add(new LabelSelector(all).toString());
    }
    if (selectors.isEmpty() && !always.isEmpty()) {
      selectors.add(new LabelSelector(always).toString());
    }
    return selectors;
  }

  private static Optional<Requirement> requirement(JsonNode expression) {
    TreeSet<String> values = new TreeSet<>();
    expression.path("values").forEach(value -> values.add(value.asText()));
    return Operator.find(expression.path("operator").asText())
        .map(operator -> new Requirement(expression.path("key").asText(), operator, values));
  }

  /** Without the default tolerations. */
  private static List<Toleration> tolerations(JsonNode tolerations) {
    List<Toleration> kept = new ArrayList<>();
    for (JsonNode toleration : tolerations) {
      String key = toleration.path("key").asText("");
      if (!key.startsWith("node.kubernetes.io/")) {
        boolean any = toleration.path("operator").asText("").equals("Exists");
        kept.add(
            new Toleration(
                key,
                any ? Optional.empty() : Optional.of(toleration.path("value").asText("")),
                key.isEmpty() ? "" : toleration.path("effect").asText("")));
      }
    }
    return kept;
  }

  Where where(Map<String, Integer> placed) {
    return new Where(List.of(), selectors, tolerations, placed);
  }

  /**
   * Uses the simulation's annotations if present; otherwise the observed start time and the grace
   * period.
   */
  Times times(String starts) {
    return new Times(
        knob(Knob.READY_AFTER).orElse(starts.isEmpty() ? Times.STARTS : starts),
        isSet(Knob.REFUSE_STOP) ? Times.NEVER : knob(Knob.STOP_AFTER).orElse(Times.STOPS),
        knob(Knob.COMPLETE_AFTER).orElse(""),
        grace);
  }

  Traits traits(int unready) {
    return new Traits(priority, false, emptyDir, unready);
  }

  private boolean isSet(Knob knob) {
    return knob(knob).filter("true"::equals).isPresent();
  }

  private Optional<String> knob(Knob knob) {
    return Optional.ofNullable(knobs.get(knob.annotation()));
  }
}
