package dev.drydock.sim;

import dev.drydock.sim.kubelet.KubeletKnobs;
import dev.drydock.sim.kubelet.NodeTemplate;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * A cluster whose nodes are simulated, whatever its control plane is: what a demonstration needs of
 * one. It begins without nodes.
 */
public interface DemoCluster extends AutoCloseable {
  /** For kubectl, or any client; may do everything. Gone when the cluster is closed. */
  Path kubeconfig();

  /** Adds nodes of one kind: the prefix with 1, 2, 3... */
  List<String> addNodes(int count, String prefix, NodeTemplate template);

  @Override
  void close();

  /**
   * Starts clusters with a control plane of Kubernetes itself. A service, so that a program has it
   * when the module that can do so is on the class path.
   */
  interface Starter {
    /**
     * Returns when the control plane can be used.
     *
     * @param knobs what kubelets do where neither pod nor node says otherwise
     * @param progress told in a few words what is going on
     */
    DemoCluster start(KubeletKnobs knobs, Consumer<String> progress);
  }
}
