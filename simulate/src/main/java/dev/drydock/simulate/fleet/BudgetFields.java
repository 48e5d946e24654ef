package dev.drydock.simulate.fleet;

import dev.drydock.contracts.LabelSelector;
import dev.drydock.simulate.fleet.Budget.Limit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads budgets. */
final class BudgetFields {
  private static final Pattern AMOUNT = Pattern.compile("\\d{1,7}|(\\d{1,2}|100)%");

  private final Optional<Map<String, List<Workload>>> workloads;
  private final Set<String> taken = new HashSet<>();

  /**
   * A reader for one file.
   *
   * @param workloads by namespace and name; absent if they could not be read because of mistakes
   */
  BudgetFields(Optional<Map<String, List<Workload>>> workloads) {
    this.workloads = workloads;
  }

  /** One budget, or one per copy of its workload. */
  List<Budget> budgets(FieldReader fields) {
    String namespace = fields.objectName("namespace", "default");
    String workload = fields.text("workload", "");
    String name =
        workload.isEmpty() ? fields.objectName("name") : fields.objectName("name", workload);
    Optional<LabelSelector> selector = fields.selector("selector");
    Limit limit = limit(fields);
    Budget budget =
        new Budget(
            namespace,
            name,
            selector,
            limit,
            fields.text(limit.name(), "0"),
            fields.flag("alwaysAllowUnhealthy"));
    List<Budget> all =
        workload.isEmpty()
            ? List.of(budget)
            : guarded(fields, namespace + "/" + workload).stream()
                .map(each -> of(budget, each))
                .toList();
    checkNames(fields, all);
    fields.refuseOthers();
    return all;
  }

  private List<Workload> guarded(FieldReader fields, String workload) {
    if (fields.has("selector")) {
      fields.problem("selector", "give either workload or selector");
    }
    if (workloads.isEmpty()) {
      return List.of();
    }
    List<Workload> guarded = workloads.get().getOrDefault(workload, List.of());
    if (!workloads.get().containsKey(workload)) {
      fields.problemIfAlone("workload", "there is no workload " + workload + meant(workload));
    }
    return guarded;
  }

  /** Usually the namespace was left out. */
  private String meant(String workload) {
    Set<String> known = workloads.orElse(Map.of()).keySet();
    String name = workload.substring(workload.indexOf('/'));
    return known.stream()
        .filter(each -> each.endsWith(name))
        .findFirst()
        .map(each -> "; did you mean namespace: " + each.substring(0, each.indexOf('/')) + "?")
        .orElseGet(() -> NameSuggestion.meant(workload, known));
  }

  private void checkNames(FieldReader fields, List<Budget> all) {
    boolean twice = false;
    for (Budget each : all) {
      twice |= !taken.add(each.namespace() + "/" + each.name());
    }
    if (twice && !all.getFirst().name().isEmpty()) {
      fields.problem(
          "name",
          "\"%s/%s\" is the name of two budgets"
              .formatted(all.getFirst().namespace(), all.getFirst().name()));
    }
  }

  private static Limit limit(FieldReader fields) {
    if (fields.has("maxUnavailable") && fields.has("minAvailable")) {
      fields.problem("minAvailable", "give either minAvailable or maxUnavailable");
    } else if (!fields.has("maxUnavailable") && !fields.has("minAvailable")) {
      fields.problemIfAlone("minAvailable", "give either minAvailable or maxUnavailable");
    }
    for (Limit each : Limit.values()) {
      String given = fields.text(each.name(), "0");
      if (!AMOUNT.matcher(given).matches()) {
        fields.problem(
            each.name(), "\"" + given + "\" should be a number, or a percentage like 90%");
      }
    }
    return fields.has("maxUnavailable") ? Limit.maxUnavailable : Limit.minAvailable;
  }

  private static Budget of(Budget budget, Workload workload) {
    return new Budget(
        workload.namespace(),
        budget.name(),
        Optional.of(LabelSelector.of(workload.labels(), List.of())),
        budget.limit(),
        budget.amount(),
        budget.alwaysAllowUnhealthy());
  }
}
