package dev.drydock.bench;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** The nodes of one benchmark: those to drain, and large ones that take their pods. */
final class BenchNodes implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int SPARES = 4;
  private static final String SPARE_PODS = "1000";

  /** How the labels and annotations begin that Drydock puts on a node. */
  private static final List<String> OWN_PREFIXES =
      List.of(
          "drydock.dev/",
          "quarantine",
          "dgxc.nvidia.com/",
          "k8saas.nvidia.com/",
          "nodeset.slinky.slurm.net/");

  private final KubernetesClient client;
  private final Process kubelets;
  private final List<String> targets;
  private final String spare;

  private BenchNodes(
      KubernetesClient client, Process kubelets, List<String> targets, String spare) {
    this.client = client;
    this.kubelets = kubelets;
    this.targets = targets;
    this.spare = spare;
  }

  /** Returns when all are ready. */
  static BenchNodes start(BenchCluster cluster, String prefix, int count) {
    List<String> targets = IntStream.rangeClosed(1, count).mapToObj(i -> prefix + "-" + i).toList();
    Process kubelets =
        cluster.startKubelets(
            List.of(
                prefix + "-",
                Integer.toString(count),
                "110",
                prefix + "-spare-",
                Integer.toString(SPARES),
                SPARE_PODS));
    BenchNodes nodes = new BenchNodes(cluster.client(), kubelets, targets, prefix + "-spare-1");
    List<String> all = new ArrayList<>(targets);
    IntStream.rangeClosed(1, SPARES).forEach(i -> all.add(prefix + "-spare-" + i));
    nodes.await("ready", all, BenchNodes::isFit);
    return nodes;
  }

  List<String> targets() {
    return targets;
  }

  /** A node that is not drained. */
  String spare() {
    return spare;
  }

  List<String> first(int count) {
    return targets.subList(0, count);
  }

  void awaitCordoned(Collection<String> names) {
    await("cordoned", names, node -> Boolean.TRUE.equals(node.getSpec().getUnschedulable()));
  }

  /** Resets the nodes, as if they had never been drained. */
  void restore() {
    for (Node node : client.nodes().withLabel(KubeletProcess.LABEL).list().getItems()) {
      if (!isFit(node) || wasHandled(node)) {
        var _ =
            client
                .nodes()
                .withName(node.getMetadata().getName())
                .patch(
                    PatchContext.of(PatchType.JSON_MERGE),
                    client.getKubernetesSerialization().asJson(undo(node)));
      }
    }
    await("schedulable", targets, BenchNodes::isFit);
  }

  private static Map<String, Object> undo(Node node) {
    Map<String, Object> spec = new HashMap<>();
    spec.put("unschedulable", null);
    spec.put("taints", null);
    Map<String, Object> annotations = withoutOwn(node.getMetadata().getAnnotations());
    Map<String, Object> labels = withoutOwn(node.getMetadata().getLabels());
    return Map.of("spec", spec, "metadata", Map.of("annotations", annotations, "labels", labels));
  }

  private static Map<String, Object> withoutOwn(Map<String, String> present) {
    Map<String, Object> removals = new HashMap<>();
    present.keySet().stream()
        .filter(key -> OWN_PREFIXES.stream().anyMatch(key::startsWith))
        .forEach(key -> removals.put(key, null));
    return removals;
  }

  private static boolean wasHandled(Node node) {
    return !withoutOwn(node.getMetadata().getAnnotations()).isEmpty()
        || !withoutOwn(node.getMetadata().getLabels()).isEmpty();
  }

  private static boolean isFit(Node node) {
    return node.getSpec().getTaints().isEmpty()
        && !Boolean.TRUE.equals(node.getSpec().getUnschedulable())
        && Readiness.isNodeReady(node);
  }

  private void await(String what, Collection<String> names, Predicate<Node> condition) {
    Set<String> wanted = new HashSet<>(names);
    var _ =
        BenchFailure.get(
            client
                .nodes()
                .withLabel(KubeletProcess.LABEL)
                .informOnCondition(
                    nodes ->
                        nodes.stream()
                                .filter(node -> wanted.contains(node.getMetadata().getName()))
                                .filter(condition)
                                .count()
                            == wanted.size()),
            LIMIT,
            "%d nodes did not become %s in %d s".formatted(wanted.size(), what, LIMIT.toSeconds()));
  }

  @Override
  public void close() {
    kubelets.destroy();
    var _ = client.nodes().withLabel(KubeletProcess.LABEL).delete();
    try {
      kubelets.waitFor();
    } catch (InterruptedException e) {
      throw BenchFailure.interrupted(e);
    }
  }
}
