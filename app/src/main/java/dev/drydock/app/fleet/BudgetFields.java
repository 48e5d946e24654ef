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

  static Budget budget(Fields fields, List<Workload> workloads) {
    String namespace = fields.text("namespace", "default");
    String workload = fields.text("workload", "");
    String name = workload.isEmpty() ? fields.required("name") : fields.text("name", workload);
    Optional<LabelSelector> selector = fields.selector("selector");
    if (!workload.isEmpty()) {
      if (fields.has("selector")) {
        fields.problem("selector", "give either workload or selector");
      }
      selector = ofWorkload(fields, workloads, namespace, workload);
    }
    Limit limit = fields.has("maxUnavailable") ? Limit.maxUnavailable : Limit.minAvailable;
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
    Budget budget =
        new Budget(
            namespace,
            name,
            selector,
            limit,
            fields.text(limit.name(), "0"),
            fields.flag("alwaysAllowUnhealthy"));
    fields.refuseOthers();
    return budget;
  }

  private static Optional<LabelSelector> ofWorkload(
      Fields fields, List<Workload> workloads, String namespace, String name) {
    Optional<Map<String, String>> labels =
        workloads.stream()
            .filter(w -> w.namespace().equals(namespace) && w.name().equals(name))
            .map(Workload::labels)
            .findFirst();
    if (labels.isEmpty()) {
      fields.problem("workload", "there is no workload " + name + " in namespace " + namespace);
    }
    return labels.map(all -> LabelSelector.of(all, List.of()));
  }
}
