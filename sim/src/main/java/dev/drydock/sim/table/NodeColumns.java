package dev.drydock.sim.table;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.json.JsonTrees;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The columns of Nodes. */
final class NodeColumns {
  private static final String ROLE_PREFIX = "node-role.kubernetes.io/";
  private static final String ROLE = "kubernetes.io/role";
  private static final String UNKNOWN = "<unknown>";

  static final List<Column> ALL =
      List.of(
          Column.NAME,
          Column.of("Status", NodeColumns::status),
          Column.of("Roles", NodeColumns::roles).orNone(),
          Column.AGE,
          Column.at("Version", "status.nodeInfo.kubeletVersion"),
          Column.of("Internal-IP", node -> address(node, "InternalIP")).orNone().wide(),
          Column.of("External-IP", node -> address(node, "ExternalIP")).orNone().wide(),
          Column.at("OS-Image", "status.nodeInfo.osImage").or(UNKNOWN).wide(),
          Column.of("Kernel-Version", NodeColumns::kernel).wide(),
          Column.at("Container-Runtime", "status.nodeInfo.containerRuntimeVersion")
              .or(UNKNOWN)
              .wide());

  private NodeColumns() {}

  private static String status(JsonNode node) {
    String ready =
        JsonTrees.at(node, "status", "conditions")
            .valueStream()
            .filter(condition -> JsonTrees.text(condition, "type").equals("Ready"))
            .map(
                condition ->
                    JsonTrees.text(condition, "status").equals("True") ? "Ready" : "NotReady")
            .findFirst()
            .orElse("Unknown");
    boolean cordoned = JsonTrees.at(node, "spec", "unschedulable").asBoolean();
    return cordoned ? ready + ",SchedulingDisabled" : ready;
  }

  private static String roles(JsonNode node) {
    Set<String> roles = new TreeSet<>();
    for (Map.Entry<String, JsonNode> label :
        JsonTrees.at(node, "metadata", "labels").properties()) {
      if (label.getKey().startsWith(ROLE_PREFIX)) {
        roles.add(label.getKey().substring(ROLE_PREFIX.length()));
      } else if (label.getKey().equals(ROLE)) {
        roles.add(label.getValue().asText());
      }
    }
    roles.remove("");
    return String.join(",", roles);
  }

  private static String address(JsonNode node, String type) {
    return JsonTrees.at(node, "status", "addresses")
        .valueStream()
        .filter(address -> JsonTrees.text(address, "type").equals(type))
        .map(address -> JsonTrees.text(address, "address"))
        .findFirst()
        .orElse("");
  }

  private static String kernel(JsonNode node) {
    String kernel = JsonTrees.text(node, "status", "nodeInfo", "kernelVersion");
    String architecture = JsonTrees.text(node, "status", "nodeInfo", "architecture");
    return (kernel.isEmpty() ? UNKNOWN : kernel)
        + (architecture.isEmpty() ? "" : " (" + architecture + ")");
  }
}
