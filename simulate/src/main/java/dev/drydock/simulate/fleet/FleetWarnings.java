package dev.drydock.simulate.fleet;

import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.NameLists;
import dev.drydock.simulate.fleet.ScenarioStep.What;
import dev.drydock.simulate.fleet.Workload.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds unusual content that is probably a mistake. */
public final class FleetWarnings {
  private final Fleet fleet;

  private FleetWarnings(Fleet fleet) {
    this.fleet = fleet;
  }

  /** One line each; empty if nothing is unusual. */
  public static List<String> of(Fleet fleet) {
    FleetWarnings warnings = new FleetWarnings(fleet);
    List<String> lines = new ArrayList<>();
    warnings.addIdleBudgets(lines);
    fleet.scenario().steps().forEach(step -> warnings.addIdleStep(lines, step));
    return lines;
  }

  /** A live cluster may have many of these, and they are no mistakes. */
  private void addIdleBudgets(List<String> lines) {
    Map<String, List<Workload>> byNamespace = new HashMap<>();
    fleet
        .workloads()
        .forEach(
            each ->
                byNamespace.computeIfAbsent(each.namespace(), _ -> new ArrayList<>()).add(each));
    List<String> idle =
        fleet.budgets().stream()
            .filter(
                budget ->
                    byNamespace.getOrDefault(budget.namespace(), List.of()).stream()
                        .noneMatch(each -> selects(budget, each)))
            .map(budget -> budget.namespace() + "/" + budget.name())
            .toList();
    if (!idle.isEmpty()) {
      lines.add(
          (idle.size() == 1
                  ? "1 budget selects no pod: "
                  : idle.size() + " budgets select no pod: ")
              + NameLists.some(idle));
    }
  }

  private static boolean selects(Budget budget, Workload workload) {
    return budget.selector().filter(selector -> hasPod(workload, selector)).isPresent();
  }

  private void addIdleStep(List<String> lines, ScenarioStep step) {
    LabelSelector pods =
        switch (step.what()) {
          case What.Drain drain -> drain.policy().podSelector();
          case What.RollOut rollOut -> rollOut.policy().podSelector();
          case What.Fail _, What.Recover _, What.Reboot _, What.Uncordon _ ->
              LabelSelector.everything();
        };
    if (!pods.requirements().isEmpty()
        && fleet.workloads().stream().noneMatch(workload -> hasPod(workload, pods))) {
      lines.add("no pod has the labels %s, so none has to leave %s".formatted(pods, step.nodes()));
    }
  }

  private static boolean hasPod(Workload workload, LabelSelector selector) {
    if (workload.replicas() == 0 && workload.kind() != Kind.DaemonSet) {
      return false;
    }
    return podLabels(workload).anyMatch(selector::matches);
  }

  /** Pods of a StatefulSet have individual labels. */
  private static Stream<Map<String, String>> podLabels(Workload workload) {
    Stream<Map<String, String>> given = Stream.of(workload.labels());
    return workload.kind() != Kind.StatefulSet
        ? given
        : Stream.concat(
            given,
            IntStream.range(0, workload.replicas())
                .mapToObj(
                    index -> {
                      Map<String, String> labels = new HashMap<>(workload.labels());
                      labels.put(
                          "statefulset.kubernetes.io/pod-name", workload.name() + "-" + index);
                      labels.put("apps.kubernetes.io/pod-index", Integer.toString(index));
                      return labels;
                    }));
  }
}
