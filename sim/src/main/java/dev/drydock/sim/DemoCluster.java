package dev.drydock.sim;

import dev.drydock.sim.kubelet.KubeletKnobs;
import dev.drydock.sim.kubelet.NodeTemplate;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * A cluster with simulated nodes and any control plane, for demonstrations. It starts without
 * nodes.
 */
public interface DemoCluster extends AutoCloseable {
  /** A kubeconfig with full access. Removed when the cluster is closed. */
  Path kubeconfig();

  /** Adds nodes of one kind, named by the prefix and 1, 2, 3... */
  List<String> addNodes(int count, String prefix, NodeTemplate template);

  @Override
  void close();

  /**
   * Starts clusters with a real Kubernetes control plane. A service, which is available if a module
   * that implements it is on the class path.
   */
  interface Starter {
    /**
     * Returns when the control plane is ready.
     *
     * @param knobs the kubelets' defaults for what neither pod nor node specifies
     * @param progress receives short progress messages
     */
    DemoCluster start(KubeletKnobs knobs, Consumer<String> progress);
  }
}
