package dev.drydock.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.kubelet.Knob;

/** Nodes that fail: their kubelets stop responding, and nothing on them continues. */
final class NodeFailures {
  private NodeFailures() {}

  static boolean isSilent(JsonNode node) {
    return node.path("metadata")
        .path("annotations")
        .path(Knob.SILENT.annotation())
        .asText("")
        .equals("true");
  }

  static void begin(VirtualCluster cluster, String node) {
    cluster.annotateNode(node, Knob.SILENT.annotation(), "true");
  }

  static void end(VirtualCluster cluster, String node) {
    cluster.annotateNode(node, Knob.SILENT.annotation(), null);
  }
}
