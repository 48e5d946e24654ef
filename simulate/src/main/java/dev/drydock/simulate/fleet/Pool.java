package dev.drydock.simulate.fleet;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Nodes of one kind.
 *
 * @param capacity by resource, all of it allocatable
 * @param labels of all its nodes
 */
public record Pool(
    String name,
    List<Node> nodes,
    Map<String, String> capacity,
    Map<String, String> labels,
    List<Taint> taints) {
  public static final String POOL_LABEL = "drydock.dev/pool";
  public static final String RACK_LABEL = "drydock.dev/rack";
  public static final String ZONE_LABEL = "topology.kubernetes.io/zone";
  public static final String HOSTNAME_LABEL = "kubernetes.io/hostname";

  /**
   * One node.
   *
   * @param zone empty for none
   * @param rack empty for none
   * @param labels of this node only
   * @param cordoned cordoned at the start
   */
  public record Node(
      String name, String zone, String rack, Map<String, String> labels, boolean cordoned) {
    public Node {
      labels = Map.copyOf(labels);
    }
  }

  public Pool {
    nodes = List.copyOf(nodes);
    capacity = Map.copyOf(capacity);
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
  }

  /** The names of all nodes, in the order of the file. */
  static Set<String> nodeNames(List<Pool> pools) {
    Set<String> names = new LinkedHashSet<>();
    pools.forEach(pool -> pool.nodes().forEach(node -> names.add(node.name())));
    return names;
  }

  /** All labels of one of its nodes. */
  public Map<String, String> labelsOf(Node node) {
    Map<String, String> all = new TreeMap<>();
    all.put(HOSTNAME_LABEL, node.name());
    all.put("kubernetes.io/os", "linux");
    all.put(POOL_LABEL, name);
    if (!node.zone().isEmpty()) {
      all.put(ZONE_LABEL, node.zone());
    }
    if (!node.rack().isEmpty()) {
      all.put(RACK_LABEL, node.rack());
    }
    all.putAll(labels);
    all.putAll(node.labels());
    return all;
  }
}
