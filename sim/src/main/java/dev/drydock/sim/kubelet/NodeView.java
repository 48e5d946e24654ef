package dev.drydock.sim.kubelet;

import io.fabric8.kubernetes.api.model.Node;
import java.time.Instant;
import java.util.Map;
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
    return StoredViews.node(StatusMerge.tree(node), previous, now);
  }

  boolean isWell() {
    return conditions.equals(WELL);
  }
}
