package dev.drydock.simulate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.LabelSelector.Operator;
import dev.drydock.contracts.LabelSelector.Requirement;
import dev.drydock.sim.kubelet.Knob;
import dev.drydock.simulate.fleet.Fleet;
import dev.drydock.simulate.fleet.Pool;
import dev.drydock.simulate.fleet.Taint;
import dev.drydock.simulate.fleet.Toleration;
import dev.drydock.simulate.fleet.Workload;
import dev.drydock.simulate.fleet.Workload.Times;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Builds the pods of a workload and their node affinity. */
final class PodTemplates {
  private final Workload workload;
  private final List<Pool> pools;
  private final ObjectNode template;

  PodTemplates(Fleet fleet, Workload workload) {
    this.workload = workload;
    this.pools =
        fleet.pools().stream()
            .filter(
                pool ->
                    workload.where().pools().isEmpty()
                        || workload.where().pools().contains(pool.name()))
            .toList();
    this.template = make();
  }

  /** A new copy, which the caller may modify. */
  ObjectNode template() {
    return template.deepCopy();
  }

  /** Shared between a hundred thousand pods to save memory; must not be modified. */
  ObjectNode shared() {
    return template;
  }

  private ObjectNode make() {
    ObjectNode made = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = made.putObject("metadata");
    texts(metadata.putObject("labels"), workload.labels());
    texts(metadata.putObject("annotations"), knobs());
    ObjectNode spec = made.putObject("spec");
    spec.put("terminationGracePeriodSeconds", workload.times().grace().toSeconds());
    if (workload.traits().priority() != 0) {
      spec.put("priority", workload.traits().priority());
    }
    ObjectNode container = spec.putArray("containers").addObject();
    container.put("name", "main").put("image", "simulated");
    if (!workload.requests().isEmpty()) {
      texts(container.putObject("resources").putObject("requests"), workload.requests());
    }
    if (workload.traits().emptyDir()) {
      spec.putArray("volumes").addObject().put("name", "data").putObject("emptyDir");
    }
    addTolerations(spec);
    addAffinity(spec);
    return made;
  }

  private static void texts(ObjectNode object, Map<String, String> texts) {
    new TreeMap<>(texts).forEach(object::put);
  }

  private Map<String, String> knobs() {
    Map<String, String> knobs = new TreeMap<>();
    Times times = workload.times();
    knobs.put(Knob.READY_AFTER.annotation(), times.starts());
    if (times.stops().equals(Times.NEVER)) {
      knobs.put(Knob.REFUSE_STOP.annotation(), "true");
    } else {
      knobs.put(Knob.STOP_AFTER.annotation(), times.stops());
    }
    if (!times.runs().isEmpty()) {
      knobs.put(Knob.COMPLETE_AFTER.annotation(), times.runs());
    }
    return knobs;
  }

  /** Workloads for a pool tolerate the pool's taints. */
  private void addTolerations(ObjectNode spec) {
    Set<Toleration> tolerations = new LinkedHashSet<>(workload.where().tolerations());
    if (!workload.where().pools().isEmpty()) {
      for (Pool pool : pools) {
        for (Taint taint : pool.taints()) {
          tolerations.add(Toleration.of(taint));
        }
      }
    }
    if (tolerations.isEmpty()) {
      return;
    }
    ArrayNode array = spec.putArray("tolerations");
    for (Toleration toleration : tolerations) {
      ObjectNode each = array.addObject();
      if (!toleration.key().isEmpty()) {
        each.put("key", toleration.key());
      }
      each.put("operator", toleration.value().isPresent() ? "Equal" : "Exists");
      toleration.value().ifPresent(value -> each.put("value", value));
      if (!toleration.effect().isEmpty()) {
        each.put("effect", toleration.effect());
      }
    }
  }

  private void addAffinity(ObjectNode spec) {
    List<LabelSelector> terms = terms();
    if (terms.isEmpty()) {
      return;
    }
    ArrayNode array =
        spec.putObject("affinity")
            .putObject("nodeAffinity")
            .putObject("requiredDuringSchedulingIgnoredDuringExecution")
            .putArray("nodeSelectorTerms");
    for (LabelSelector term : terms) {
      ArrayNode expressions = array.addObject().putArray("matchExpressions");
      term.requirements().forEach(requirement -> expressions.add(expression(requirement)));
    }
  }

  /** Any of its selectors, each combined with its pools. */
  private List<LabelSelector> terms() {
    List<Requirement> ofPools =
        workload.where().pools().isEmpty()
            ? List.of()
            : List.of(
                Requirement.of(
                    Pool.POOL_LABEL, Operator.IN, workload.where().pools().toArray(String[]::new)));
    if (workload.where().selectors().isEmpty()) {
      return ofPools.isEmpty() ? List.of() : List.of(new LabelSelector(ofPools));
    }
    return workload.where().selectors().stream()
        .map(
            text -> {
              List<Requirement> all = new ArrayList<>(ofPools);
              all.addAll(LabelSelector.parse(text).requirements());
              return new LabelSelector(all);
            })
        .toList();
  }

  static ObjectNode expression(Requirement requirement) {
    ObjectNode expression = JsonNodeFactory.instance.objectNode();
    expression.put("key", requirement.key());
    expression.put("operator", requirement.operator().apiName());
    if (!requirement.values().isEmpty()) {
      ArrayNode values = expression.putArray("values");
      requirement.values().forEach(values::add);
    }
    return expression;
  }

  boolean isUnready(int index) {
    return index < workload.traits().unready();
  }

  /** A node for each pinned pod: the given ones, otherwise the allowed ones in turn. */
  List<String> pinnedTo() {
    List<String> nodes = new ArrayList<>(workload.where().placed().keySet());
    List<LabelSelector> terms = terms();
    List<String> allowed =
        pools.stream()
            .flatMap(
                pool ->
                    pool.nodes().stream()
                        .filter(
                            node ->
                                terms.isEmpty()
                                    || terms.stream()
                                        .anyMatch(term -> term.matches(pool.labelsOf(node))))
                        .map(Pool.Node::name))
            .toList();
    for (int i = nodes.size(); i < workload.replicas() && !allowed.isEmpty(); i++) {
      nodes.add(allowed.get(i % allowed.size()));
    }
    return nodes;
  }
}
