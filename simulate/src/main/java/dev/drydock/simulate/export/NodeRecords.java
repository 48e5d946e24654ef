package dev.drydock.simulate.export;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Conditions;
import dev.drydock.simulate.fleet.Pool;
import dev.drydock.simulate.fleet.Taint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Collects Nodes and groups similar ones into pools. */
final class NodeRecords implements Consumer<JsonNode> {
  /** A label with more values than this identifies nodes, not kinds of nodes. */
  private static final int MOST_KINDS = 16;

  /** Taints that Kubernetes sets and removes itself. */
  private static final String PASSING = "node.kubernetes.io/";

  private static final Set<String> DERIVED =
      Set.of(Pool.HOSTNAME_LABEL, Pool.ZONE_LABEL, Pool.RACK_LABEL, Pool.POOL_LABEL);

  private record Seen(
      String name,
      Map<String, String> labels,
      Map<String, String> capacity,
      List<String> taints,
      boolean cordoned) {}

  private record Kind(
      String pool, Map<String, String> labels, Map<String, String> capacity, List<String> taints) {}

  private final List<Seen> nodes = new ArrayList<>();
  private int notReady;

  @Override
  public void accept(JsonNode node) {
    JsonNode spec = node.path("spec");
    List<String> taints = new ArrayList<>();
    for (JsonNode taint : spec.path("taints")) {
      String key = taint.path("key").asText("");
      if (!key.startsWith(PASSING)) {
        taints.add(
            new Taint(key, taint.path("value").asText(""), taint.path("effect").asText(""))
                .toString());
      }
    }
    nodes.add(
        new Seen(
            node.path("metadata").path("name").asText(),
            StringMaps.of(node.path("metadata").path("labels")),
            RoundedQuantities.capacity(node.path("status").path("allocatable")),
            taints.stream().sorted().toList(),
            spec.path("unschedulable").asBoolean(false)));
    if (!Conditions.of(node.path("status")).isTrue("Ready")) {
      notReady++;
    }
  }

  int count() {
    return nodes.size();
  }

  int notReady() {
    return notReady;
  }

  Set<String> names() {
    return nodes.stream().map(Seen::name).collect(Collectors.toSet());
  }

  /** Largest first. */
  List<Pool> pools() {
    Set<String> common = labelsOfKinds();
    Map<Kind, List<Pool.Node>> kinds = new LinkedHashMap<>();
    for (Seen seen : nodes) {
      Map<String, String> shared = new TreeMap<>(seen.labels());
      shared.keySet().retainAll(common);
      Map<String, String> own = new TreeMap<>(seen.labels());
      own.keySet().removeAll(common);
      own.keySet().removeAll(DERIVED);
      String pool = seen.labels().getOrDefault(Pool.POOL_LABEL, "");
      kinds
          .computeIfAbsent(
              new Kind(pool, shared, seen.capacity(), seen.taints()), _ -> new ArrayList<>())
          .add(
              new Pool.Node(
                  seen.name(),
                  seen.labels().getOrDefault(Pool.ZONE_LABEL, ""),
                  seen.labels().getOrDefault(Pool.RACK_LABEL, ""),
                  own,
                  seen.cordoned()));
    }
    return named(kinds);
  }

  private static List<Pool> named(Map<Kind, List<Pool.Node>> kinds) {
    List<Pool> pools = new ArrayList<>();
    Set<String> names = new HashSet<>();
    kinds.entrySet().stream()
        .sorted(Comparator.comparingInt(kind -> -kind.getValue().size()))
        .forEach(
            entry -> {
              Kind kind = entry.getKey();
              String wanted = kind.pool().isEmpty() ? "pool-" + (pools.size() + 1) : kind.pool();
              String name = names.add(wanted) ? wanted : wanted + "-" + (pools.size() + 1);
              names.add(name);
              pools.add(
                  new Pool(
                      name,
                      entry.getValue(),
                      kind.capacity(),
                      kind.labels(),
                      kind.taints().stream().flatMap(t -> Taint.parse(t).stream()).toList()));
            });
    return pools;
  }

  private Set<String> labelsOfKinds() {
    Map<String, Set<String>> values = new HashMap<>();
    for (Seen seen : nodes) {
      seen.labels()
          .forEach((key, value) -> values.computeIfAbsent(key, _ -> new HashSet<>()).add(value));
    }
    return values.entrySet().stream()
        .filter(label -> label.getValue().size() <= MOST_KINDS)
        .map(Map.Entry::getKey)
        .filter(key -> !DERIVED.contains(key))
        .collect(Collectors.toSet());
  }
}
