package dev.drydock.sim.kubelet;

import dev.drydock.kube.LabelValue;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.NodeStatusBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The objects and statuses that a kubelet writes about its node. */
final class NodeObjects {
  static final String HOSTNAME = "kubernetes.io/hostname";
  static final String LEASE_NAMESPACE = "kube-node-lease";
  private static final int LEASE_SECONDS = 40;

  private static final List<String> ZONES = List.of("zone-a", "zone-b", "zone-c");

  private NodeObjects() {}

  static Node node(String name, NodeTemplate template, NodeStatus status) {
    Map<String, String> labels = new TreeMap<>();
    labels.put(HOSTNAME, LabelValue.of(name)); // hostnames are short
    labels.put("kubernetes.io/os", "linux");
    labels.put("kubernetes.io/arch", "amd64");
    labels.put("topology.kubernetes.io/region", "region-1");
    labels.put(
        "topology.kubernetes.io/zone", ZONES.get(Math.floorMod(ordinal(name), ZONES.size())));
    labels.putAll(template.labels());
    return new NodeBuilder()
        .withNewMetadata()
        .withName(name)
        .withLabels(labels)
        .withAnnotations(new TreeMap<>(template.annotations()))
        .endMetadata()
        .withStatus(status)
        .build();
  }

  /** Numbered nodes are spread over the zones in turn; others get any zone. */
  private static int ordinal(String name) {
    int digits = name.length();
    while (digits > 0 && Character.isDigit(name.charAt(digits - 1))) {
      digits--;
    }
    String number = name.substring(digits);
    return number.isEmpty() || number.length() > 9 ? name.hashCode() : Integer.parseInt(number);
  }

  /** The complete status with which a kubelet registers its node. */
  static NodeStatus introduction(
      String name, NodeTemplate template, String kubeletVersion, String address) {
    Map<String, Quantity> capacity =
        template.capacity().entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    each -> Quantity.parse(each.getValue()),
                    (first, _) -> first,
                    TreeMap::new));
    String request = template.annotations().getOrDefault(Knob.REBOOT.annotation(), "");
    String machineId = NodeDecision.bootId(name, "machine").replace("-", "");
    return new NodeStatusBuilder()
        .withCapacity(capacity)
        .withAllocatable(capacity)
        .addNewAddress(address, "InternalIP")
        .addNewAddress(name, "Hostname")
        .withNewNodeInfo()
        .withBootID(NodeDecision.bootId(name, request))
        .withMachineID(machineId)
        .withSystemUUID(machineId)
        .withKernelVersion("6.12.0-simulated")
        .withOsImage("Simulated Linux")
        .withOperatingSystem("linux")
        .withArchitecture("amd64")
        .withContainerRuntimeVersion("simulated://1.0.0")
        .withKubeletVersion(kubeletVersion)
        .withKubeProxyVersion("")
        .endNodeInfo()
        .build();
  }

  /**
   * All kubelet conditions of a healthy node; lastTransitionTime changes only for those that
   * change.
   */
  static List<NodeCondition> well(Map<String, String> present, Instant now) {
    List<NodeCondition> conditions = new ArrayList<>();
    // in the same order in every process
    new TreeMap<>(NodeView.WELL)
        .forEach(
            (type, status) -> {
              NodeConditionBuilder condition =
                  new NodeConditionBuilder()
                      .withType(type)
                      .withLastHeartbeatTime(Stamps.seconds(now));
              if (!status.equals(present.get(type))) {
                condition
                    .withStatus(status)
                    .withLastTransitionTime(Stamps.seconds(now))
                    .withReason(
                        type.equals("Ready") ? "KubeletReady" : "KubeletHasSufficientResources")
                    .withMessage("the simulated kubelet is healthy");
              }
              conditions.add(condition.build());
            });
    return conditions;
  }

  static NodeStatus rebootBegun(Instant now) {
    return new NodeStatusBuilder()
        .addToConditions(
            condition("Ready", "False", "NodeRebooting", now),
            condition(NodeView.REBOOTING, "True", "RebootRequested", now))
        .build();
  }

  static NodeStatus rebootFinished(NodeView node, String bootId, Instant now) {
    return new NodeStatusBuilder()
        .addAllToConditions(well(node.conditions(), now))
        .addToConditions(condition(NodeView.REBOOTING, "False", "RebootFinished", now))
        .withNewNodeInfo()
        .withBootID(bootId)
        .endNodeInfo()
        .build();
  }

  private static NodeCondition condition(String type, String status, String reason, Instant now) {
    return new NodeConditionBuilder()
        .withType(type)
        .withStatus(status)
        .withReason(reason)
        .withMessage("the simulated node is rebooting")
        .withLastHeartbeatTime(Stamps.seconds(now))
        .withLastTransitionTime(Stamps.seconds(now))
        .build();
  }

  /** Owned by the Node, so that it is deleted with it. */
  static Lease lease(NodeView.Identity node, Instant now) {
    return new LeaseBuilder()
        .withNewMetadata()
        .withName(node.name())
        .withNamespace(LEASE_NAMESPACE)
        .addNewOwnerReference()
        .withApiVersion("v1")
        .withKind("Node")
        .withName(node.name())
        .withUid(node.uid())
        .endOwnerReference()
        .endMetadata()
        .withNewSpec()
        .withHolderIdentity(node.name())
        .withLeaseDurationSeconds(LEASE_SECONDS)
        .withRenewTime(now.truncatedTo(ChronoUnit.MICROS).atZone(ZoneOffset.UTC))
        .endSpec()
        .build();
  }
}
