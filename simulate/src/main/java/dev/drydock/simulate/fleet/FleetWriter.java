package dev.drydock.simulate.fleet;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.simulate.fleet.Workload.Kind;
import dev.drydock.simulate.fleet.Workload.Times;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes a fleet so that {@link FleetReader} reads the same, omitting defaults. The scenario is
 * left out: people write it.
 */
public final class FleetWriter {
  private FleetWriter() {}

  public static String yaml(Fleet fleet) {
    return FlowYaml.write(tree(fleet));
  }

  public static String json(Fleet fleet) {
    return tree(fleet).toPrettyString() + "\n";
  }

  /** A string map as YAML. */
  public static String names(Map<String, String> names) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    names.forEach(tree::put);
    return FlowYaml.write(tree);
  }

  private static ObjectNode tree(Fleet fleet) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.put("apiVersion", Fleet.API_VERSION).put("kind", Fleet.KIND).put("seed", fleet.seed());
    ArrayNode pools = tree.putArray("pools");
    fleet.pools().forEach(pool -> write(pools.addObject(), pool));
    ArrayNode workloads = tree.putArray("workloads");
    fleet.workloads().forEach(workload -> write(workloads.addObject(), workload));
    ArrayNode budgets = tree.putArray("budgets");
    fleet.budgets().forEach(budget -> write(budgets.addObject(), budget));
    return tree;
  }

  private static void write(ObjectNode tree, Pool pool) {
    tree.put("name", pool.name());
    put(tree, "capacity", pool.capacity());
    put(tree, "labels", pool.labels());
    put(tree, "taints", pool.taints());
    ArrayNode nodes = tree.putArray("nodes");
    for (Pool.Node node : pool.nodes()) {
      ObjectNode each = nodes.addObject();
      each.put("name", node.name());
      put(each, "zone", node.zone());
      put(each, "rack", node.rack());
      put(each, "labels", node.labels());
      put(each, "cordoned", node.cordoned());
    }
  }

  private static void write(ObjectNode tree, Workload workload) {
    tree.put("name", workload.name()).put("namespace", workload.namespace());
    tree.put("kind", workload.kind().name());
    if (workload.kind() != Kind.DaemonSet) {
      tree.put("replicas", workload.replicas());
    }
    put(tree, "labels", workload.labels());
    put(tree, "requests", workload.requests());
    put(tree, "pools", workload.where().pools());
    put(tree, "nodes", workload.where().selectors());
    put(tree, "tolerations", workload.where().tolerations());
    Times times = workload.times();
    if (!times.grace().equals(Times.GRACE)) {
      tree.put("grace", times.grace().toSeconds() + "s");
    }
    put(tree, "starts", times.starts().equals(Times.STARTS) ? "" : times.starts());
    put(tree, "stops", times.stops().equals(Times.STOPS) ? "" : times.stops());
    put(tree, "runs", times.runs());
    if (workload.traits().priority() != 0) {
      tree.put("priority", workload.traits().priority());
    }
    put(tree, "pinned", workload.traits().pinned());
    put(tree, "emptyDir", workload.traits().emptyDir());
    if (workload.traits().unready() > 0) {
      tree.put("unready", workload.traits().unready());
    }
    if (!workload.where().placed().isEmpty()) {
      ObjectNode placed = tree.putObject("placed");
      workload.where().placed().forEach(placed::put);
    }
  }

  private static void write(ObjectNode tree, Budget budget) {
    tree.put("name", budget.name()).put("namespace", budget.namespace());
    budget.selector().ifPresent(selector -> tree.put("selector", selector.toString()));
    tree.put(budget.limit().name(), budget.amount());
    put(tree, "alwaysAllowUnhealthy", budget.alwaysAllowUnhealthy());
  }

  private static void put(ObjectNode tree, String name, String text) {
    if (!text.isEmpty()) {
      tree.put(name, text);
    }
  }

  private static void put(ObjectNode tree, String name, boolean flag) {
    if (flag) {
      tree.put(name, true);
    }
  }

  private static void put(ObjectNode tree, String name, Map<String, String> texts) {
    if (!texts.isEmpty()) {
      ObjectNode object = tree.putObject(name);
      new TreeMap<>(texts).forEach(object::put);
    }
  }

  private static void put(ObjectNode tree, String name, Collection<?> values) {
    if (!values.isEmpty()) {
      ArrayNode array = tree.putArray(name);
      values.forEach(value -> array.add(value.toString()));
    }
  }
}
