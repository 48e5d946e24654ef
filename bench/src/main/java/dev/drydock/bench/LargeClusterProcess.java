package dev.drydock.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.kubelet.NodeTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A simulated API server with more nodes and pods than a real control plane can create in the time
 * of a benchmark. Arguments: where to write the kubeconfig when everything exists, the number of
 * nodes, and of pods per node. Runs until it is terminated.
 */
final class LargeClusterProcess {
  static final String NAMESPACE = "default";
  static final String NODE_PREFIX = "node-";

  private static final int PODS_PER_OWNER = 50;

  /** As many past changes of a resource as a real API server remembers at most. */
  private static final int HISTORY = 100 * 1024;

  private LargeClusterProcess() {}

  public static void main(String[] words) throws IOException, InterruptedException {
    Path kubeconfig = Path.of(words[0]);
    int nodes = Integer.parseInt(words[1]);
    int podsPerNode = Integer.parseInt(words[2]);
    try (SimulatedCluster cluster =
        SimulatedCluster.running(SimulatedCluster.Settings.defaults().withHistory(HISTORY))) {
      YAMLMapper yaml = new YAMLMapper();
      for (String definition : CrdCatalog.yaml().split("(?m)^---\n", -1)) {
        var _ = cluster.create((ObjectNode) yaml.readTree(definition));
      }
      List<ObjectNode> pods = new ArrayList<>();
      NodeTemplate template = NodeTemplate.DEFAULT.withLabel(KubeletProcess.LABEL, "true");
      for (String node : cluster.addNodes(nodes, NODE_PREFIX, template)) {
        for (int i = 0; i < podsPerNode; i++) {
          pods.add(pod(pods.size(), node));
        }
      }
      cluster.load(pods);
      Path written = Files.writeString(Path.of(kubeconfig + ".new"), cluster.kubeconfig());
      Files.move(written, kubeconfig, StandardCopyOption.ATOMIC_MOVE);
      Thread.currentThread().join();
    }
  }

  /** As a ReplicaSet's pods look, but of a kind that no controller of the cluster looks after. */
  private static ObjectNode pod(int number, String node) {
    String owner = "web-%05d".formatted(number / PODS_PER_OWNER);
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = pod.putObject("metadata");
    metadata.put("namespace", NAMESPACE).put("name", "%s-%06d".formatted(owner, number));
    metadata
        .putObject("labels")
        .put("app.kubernetes.io/name", owner)
        .put("app.kubernetes.io/component", "server")
        .put("app.kubernetes.io/part-of", "web")
        .put("pod-template-hash", "%08x".formatted(number / PODS_PER_OWNER));
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "example.com/v1")
        .put("kind", "Deployment")
        .put("name", owner)
        .put("uid", "00000000-0000-0000-0000-%012d".formatted(number / PODS_PER_OWNER))
        .put("controller", true);
    ObjectNode spec = pod.putObject("spec");
    spec.put("nodeName", node);
    spec.putArray("containers").addObject().put("name", "main").put("image", "none");
    ObjectNode status = pod.putObject("status");
    status.put("phase", "Running").put("startTime", "2026-01-01T00:00:00Z");
    status.putArray("conditions").addObject().put("type", "Ready").put("status", "True");
    return pod;
  }
}
