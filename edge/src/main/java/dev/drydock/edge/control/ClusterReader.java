package dev.drydock.edge.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.drain.hold.DrainNodeObject;
import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.edge.decide.ClusterNodes;
import dev.drydock.edge.decide.PeerNode;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Fields;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads the nodes of a cluster as they are now. */
final class ClusterReader {
  /** A server that hangs is as unreachable as one that is off. */
  static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

  private static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";
  private static final String TIE_BREAKER = "tie-breaker-node";
  private static final String UUID = "node-uuid";
  private static final String ETCD = "node-role.kubernetes.io/etcd";
  private static final String CONTROL_PLANE = "node-role.kubernetes.io/control-plane";

  private final KubeHttp http;
  private final EdgeAgentSettings settings;

  ClusterReader(KubeHttp http, EdgeAgentSettings settings) {
    this.http = http;
    this.settings = settings;
  }

  /**
   * All nodes, and which of them is this one.
   *
   * @throws ApiFailure if they cannot be listed
   */
  ClusterNodes read() {
    // a cluster at the edge has a handful of nodes: one page
    KubeAnswer answer =
        http.send(
            ApiCall.list(Resource.NODES.all().with("limit=" + KubeHttp.PAGE_SIZE)), ANSWER_WITHIN);
    List<ApiObject> nodes = new ArrayList<>();
    answer.orThrow("list of nodes").path("items").forEach(node -> nodes.add(ApiObject.of(node)));
    boolean etcdIsLabelled = nodes.stream().anyMatch(node -> node.labels().containsKey(ETCD));
    String voter = etcdIsLabelled ? ETCD : CONTROL_PLANE;
    List<PeerNode> peers = nodes.stream().map(node -> peer(node, voter)).toList();
    return new ClusterNodes(own(peers), peers);
  }

  private String own(List<PeerNode> peers) {
    return settings.nodeUuid().isEmpty()
        ? settings.node()
        : peers.stream()
            .filter(peer -> peer.uuid().equals(settings.nodeUuid()))
            .map(PeerNode::name)
            .findFirst()
            .orElse(settings.node());
  }

  /** This node's name. */
  String ownName() {
    if (settings.nodeUuid().isEmpty()) {
      return settings.node();
    }
    ClusterNodes nodes = read();
    return nodes
        .self()
        .map(PeerNode::name)
        .orElseThrow(
            () ->
                new ApiFailure(
                    HttpURLConnection.HTTP_NOT_FOUND,
                    "no node has the label node-uuid=" + settings.nodeUuid()));
  }

  private static PeerNode peer(ApiObject node, String voter) {
    return new PeerNode(
        node.name(),
        node.labels().getOrDefault(UUID, ""),
        !node.spec().path("unschedulable").asBoolean(false) && !isTainted(node),
        node.conditions().isTrue("Ready"),
        "true".equals(node.labels().get(TIE_BREAKER)),
        node.labels().containsKey(voter),
        isHeldByEdge(node),
        driverMissing(node));
  }

  private static boolean isTainted(ApiObject node) {
    for (JsonNode taint : node.spec().path("taints")) {
      if (Fields.text(taint, "key").equals(UNSCHEDULABLE)) {
        return true;
      }
    }
    return false;
  }

  /** What the node's CXI driver agent says, where there is one. */
  private static String driverMissing(ApiObject node) {
    return node.conditions().isTrue(CxiNames.DRIVER_MISSING)
        ? node.conditions()
            .get(CxiNames.DRIVER_MISSING)
            .map(condition -> Fields.text(condition, "message"))
            .filter(message -> !message.isEmpty())
            .orElse("it does not say why")
        : "";
  }

  /** A node whose holds cannot be read may be on its way out. */
  private static boolean isHeldByEdge(ApiObject node) {
    try {
      var holds = DrainNodeObject.read(node.root()).holds();
      return holds.unschedulable()
          && holds.byHolder().keySet().stream()
              .anyMatch(holder -> holder.startsWith(EdgeAgentSettings.HOLDER_PREFIX));
    } catch (HoldsUnreadable unreadable) {
      return true;
    }
  }
}
