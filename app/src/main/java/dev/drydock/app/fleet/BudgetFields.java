package dev.drydock.app.fleet;

import dev.drydock.app.fleet.Budget.Limit;
import dev.drydock.drain.decide.LabelSelector;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads a budget. */
final class BudgetFields {
  private static final Pattern AMOUNT = Pattern.compile("\\d{1,7}|(\\d{1,2}|100)%");

  private BudgetFields() {}

  /** One; or one for each, if it is for a workload of which there are copies. */
  static List<Budget> budgets(Fields fields, Map<String, List<Workload>> workloads) {
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
    fields.refuseOthers();
    if (workload.isEmpty()) {
      return List.of(budget);
    }
    if (fields.has("selector")) {
      fields.problem("selector", "give either workload or selector");
    }
    List<Workload> guarded = workloads.getOrDefault(namespace + "/" + workload, List.of());
    if (guarded.isEmpty()) {
      fields.problem("workload", "there is no workload " + workload + " in namespace " + namespace);
    }
    return guarded.stream().map(each -> of(budget, each)).toList();
  }

  private static Limit limit(Fields fields) {
    if (fields.has("maxUnavailable") == fields.has("minAvailable")) {
      fields.problem("minAvailable", "give either minAvailable or maxUnavailable");
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
