package dev.drydock.bench;

import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.sim.kubelet.SimulatedKubelets;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;

/**
 * A separate JVM for the simulated kubelets: its garbage collections and compiler do not stop the
 * process that measures, and its work per pod is the same for all contestants. Arguments: a
 * kubeconfig, then groups of nodes as {@code prefix count pods}. Runs until it is terminated.
 */
final class KubeletProcess {
  /** A label on each node, to find them again. */
  static final String LABEL = "bench.drydock.dev/node";

  private KubeletProcess() {}

  public static void main(String[] words) throws InterruptedException {
    try (KubernetesClient client = BenchCluster.connect(Path.of(words[0]));
        SimulatedKubelets kubelets = SimulatedKubelets.start(client)) {
      for (int i = 1; i + 2 < words.length; i += 3) {
        NodeTemplate template =
            NodeTemplate.DEFAULT.withLabel(LABEL, "true").withCapacity("pods", words[i + 2]);
        var _ = kubelets.register(Integer.parseInt(words[i + 1]), words[i], template);
      }
      Thread.currentThread().join();
    }
  }
}
