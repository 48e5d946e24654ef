package dev.drydock.simulate.fleet;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads a pool: a number of nodes spread over racks and zones, or nodes by name. */
final class PoolFields {
  static final String GPU = "nvidia.com/gpu";

  private static final int MOST_NODES = 1_000_000;

  /** A server of ordinary size. */
  private static final Map<String, String> CAPACITY =
      Map.of("cpu", "32", "memory", "256Gi", "pods", "110");

  private PoolFields() {}

  static Pool pool(FieldReader fields) {
    String name = fields.objectName("name");
    Map<String, String> capacity = new LinkedHashMap<>(CAPACITY);
    capacity.putAll(Quantities.read(fields, "capacity"));
    int gpus = fields.count("gpus", 0);
    if (gpus > 0) {
      capacity.put(GPU, Integer.toString(gpus));
    }
    Map<String, String> labels = fields.texts("labels");
    List<Taint> taints =
        fields.list("taints", Taint::parse, "like key=value:NoSchedule or key:NoExecute");
    List<Pool.Node> nodes = nodes(fields, name);
    fields.refuseOthers();
    return new Pool(name, nodes, capacity, labels, taints);
  }

  private static List<Pool.Node> nodes(FieldReader fields, String pool) {
    int count = (int) fields.number("count", 0, 1, MOST_NODES);
    List<String> zones = fields.names("zones");
    List<String> racks = fields.names("racks");
    List<FieldReader> named = fields.objects("nodes");
    if (count > 0 && !named.isEmpty()) {
      fields.problem("count", "give either count or nodes");
    } else if (!fields.has("count") && named.isEmpty()) {
      fields.problemIfAlone("count", "give either count or nodes");
    }
    if (!named.isEmpty()) {
      if (!zones.isEmpty() || !racks.isEmpty()) {
        fields.problem("nodes", "each has its own zone and rack; zones and racks go with count");
      }
      return named.stream().map(PoolFields::node).toList();
    }
    List<Pool.Node> nodes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      // Racks are filled one after another; a rack is in one zone.
      int rack = racks.isEmpty() ? i : (int) ((long) i * racks.size() / count);
      nodes.add(
          new Pool.Node(
              pool + "-" + (i + 1),
              zones.isEmpty() ? "" : zones.get(rack % zones.size()),
              racks.isEmpty() ? "" : racks.get(rack),
              Map.of(),
              false));
    }
    return nodes;
  }

  private static Pool.Node node(FieldReader fields) {
    Pool.Node node =
        new Pool.Node(
            fields.objectName("name"),
            fields.text("zone", ""),
            fields.text("rack", ""),
            fields.texts("labels"),
            fields.flag("cordoned"));
    fields.refuseOthers();
    return node;
  }
}
