package dev.drydock.sim.kubelet;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeStatus;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The facts about a Node that its kubelet needs; {@code rebooting} is null unless it is rebooting.
 */
record NodeView(
    Identity identity,
    String bootId,
    String address,
    Map<String, String> conditions,
    @Nullable Since rebooting,
    KubeletKnobs.Reading reading) {

  /** The Node's identity. */
  record Identity(String name, String uid) {}

  /** The conditions that a kubelet reports, with their status on a healthy node. */
  static final Map<String, String> WELL =
      Map.of(
          "Ready", "True",
          "MemoryPressure", "False",
          "DiskPressure", "False",
          "PIDPressure", "False");

  /**
   * True while a node reboots. Only the kubelet writes it, unlike Ready, so its transition time is
   * reliable.
   */
  static final String REBOOTING = Knob.PREFIX + "Rebooting";

  static NodeView of(Node node, @Nullable NodeView previous, Instant now) {
    var metadata = node.getMetadata();
    NodeStatus status = Objects.requireNonNullElseGet(node.getStatus(), NodeStatus::new);
    return new NodeView(
        new Identity(metadata.getName(), metadata.getUid()),
        status.getNodeInfo() == null
            ? ""
            : Objects.requireNonNullElse(status.getNodeInfo().getBootID(), ""),
        status.getAddresses().stream()
            .filter(address -> "InternalIP".equals(address.getType()))
            .findFirst()
            .map(NodeAddress::getAddress)
            .orElse(""),
        status.getConditions().stream()
            .filter(condition -> WELL.containsKey(condition.getType()))
            .collect(
                Collectors.toUnmodifiableMap(NodeCondition::getType, NodeCondition::getStatus)),
        rebooting(status, previous == null ? null : previous.rebooting, now),
        KubeletKnobs.ofNode(metadata.getAnnotations()));
  }

  private static @Nullable Since rebooting(
      NodeStatus status, @Nullable Since previous, Instant now) {
    return status.getConditions().stream()
        .filter(condition -> REBOOTING.equals(condition.getType()))
        .filter(condition -> "True".equals(condition.getStatus()))
        .findFirst()
        .map(condition -> Since.of(Instant.parse(condition.getLastTransitionTime()), previous, now))
        .orElse(null);
  }

  boolean isWell() {
    return conditions.equals(WELL);
  }
}
