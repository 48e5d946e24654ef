package dev.drydock.simulate.export;

import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.LabelSelector.Requirement;
import dev.drydock.simulate.fleet.Budget;
import dev.drydock.simulate.fleet.Fleet;
import dev.drydock.simulate.fleet.Pool;
import dev.drydock.simulate.fleet.Taint;
import dev.drydock.simulate.fleet.Toleration;
import dev.drydock.simulate.fleet.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Replaces names by meaningless ones. The same word gets the same name everywhere, so that
 * selectors still match; resource names, numbers and Kubernetes' label keys stay. Only {@link
 * #originals} knows the original names.
 */
final class Anonymizer {
  private static final Pattern WELL_KNOWN =
      Pattern.compile("([a-z0-9.-]+\\.)?(kubernetes\\.io|k8s\\.io|drydock\\.dev)/.*");

  private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+");

  private final Map<String, Map<String, String>> aliases = new LinkedHashMap<>();

  Fleet rename(Fleet fleet) {
    return new Fleet(
        fleet.seed(),
        fleet.pools().stream().map(this::pool).toList(),
        fleet.workloads().stream().map(this::workload).toList(),
        fleet.budgets().stream().map(this::budget).toList(),
        fleet.scenario());
  }

  /** The original of each new name. */
  Map<String, String> originals() {
    Map<String, String> originals = new LinkedHashMap<>();
    aliases.values().forEach(ofKind -> ofKind.forEach((name, alias) -> originals.put(alias, name)));
    return originals;
  }

  private String alias(String kind, String name) {
    Map<String, String> known = aliases.computeIfAbsent(kind, _ -> new LinkedHashMap<>());
    return name.isEmpty() ? "" : known.computeIfAbsent(name, _ -> kind + "-" + (known.size() + 1));
  }

  private Pool pool(Pool pool) {
    return new Pool(
        alias("pool", pool.name()),
        pool.nodes().stream().map(this::node).toList(),
        pool.capacity(),
        labels(pool.labels()),
        pool.taints().stream()
            .map(taint -> new Taint(key(taint.key()), value(taint.value()), taint.effect()))
            .toList());
  }

  private Pool.Node node(Pool.Node node) {
    return new Pool.Node(
        alias("node", node.name()),
        value(node.zone()),
        value(node.rack()),
        labels(node.labels()),
        node.cordoned());
  }

  private Workload workload(Workload workload) {
    Workload.Where where = workload.where();
    Map<String, Integer> placed = new LinkedHashMap<>();
    where.placed().forEach((node, count) -> placed.put(alias("node", node), count));
    return new Workload(
        alias("namespace", workload.namespace()),
        alias("workload", workload.name()),
        workload.kind(),
        workload.replicas(),
        labels(workload.labels()),
        workload.requests(),
        new Workload.Where(
            where.pools().stream().map(pool -> alias("pool", pool)).toList(),
            where.selectors().stream()
                .map(text -> selector(LabelSelector.parse(text)).toString())
                .toList(),
            where.tolerations().stream().map(this::toleration).toList(),
            placed),
        workload.times(),
        workload.traits());
  }

  private Toleration toleration(Toleration toleration) {
    return new Toleration(
        key(toleration.key()), toleration.value().map(this::value), toleration.effect());
  }

  private Budget budget(Budget budget) {
    return new Budget(
        alias("namespace", budget.namespace()),
        alias("budget", budget.name()),
        budget.selector().map(this::selector),
        budget.limit(),
        budget.amount(),
        budget.alwaysAllowUnhealthy());
  }

  private LabelSelector selector(LabelSelector selector) {
    List<Requirement> requirements =
        selector.requirements().stream()
            .map(
                each -> {
                  TreeSet<String> values = new TreeSet<>();
                  each.values().forEach(value -> values.add(value(value)));
                  return new Requirement(key(each.key()), each.operator(), values);
                })
            .toList();
    return new LabelSelector(requirements);
  }

  private Map<String, String> labels(Map<String, String> labels) {
    Map<String, String> renamed = new LinkedHashMap<>();
    new TreeMap<>(labels).forEach((key, value) -> renamed.put(key(key), value(value)));
    return renamed;
  }

  private String key(String key) {
    return WELL_KNOWN.matcher(key).matches() ? key : alias("label", key);
  }

  /** Label values may also be node names. */
  private String value(String value) {
    String node = aliases.getOrDefault("node", Map.of()).get(value);
    if (node != null) {
      return node;
    }
    return NUMBER.matcher(value).matches() ? value : alias("value", value);
  }
}
