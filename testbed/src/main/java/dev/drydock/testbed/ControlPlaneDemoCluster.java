package dev.drydock.testbed;

import dev.drydock.cli.CommandFailure;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.sim.DemoCluster;
import dev.drydock.sim.kubelet.KubeletKnobs;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.sim.kubelet.SimulatedKubelets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** A real control plane with simulated nodes, for {@code drydock demo --real}. */
public final class ControlPlaneDemoCluster implements DemoCluster {
  private final ControlPlane controlPlane;
  private final SimulatedKubelets kubelets;

  private ControlPlaneDemoCluster(ControlPlane controlPlane, SimulatedKubelets kubelets) {
    this.controlPlane = controlPlane;
    this.kubelets = kubelets;
  }

  /** Called by the ServiceLoader. */
  public static final class Starter implements DemoCluster.Starter {
    @Override
    public DemoCluster start(KubeletKnobs knobs, Consumer<String> progress) {
      try {
        ControlPlane controlPlane =
            ControlPlane.start(ControlPlane.Options.defaults().withProgress(progress::accept));
        try {
          return new ControlPlaneDemoCluster(
              controlPlane, SimulatedKubelets.start(controlPlane.client(), TimeSource.REAL, knobs));
        } catch (RuntimeException e) {
          controlPlane.close();
          throw e;
        }
      } catch (TestbedException e) {
        throw new CommandFailure(String.valueOf(e.getMessage()), e);
      }
    }
  }

  @Override
  public Path kubeconfig() {
    return controlPlane.kubeconfig();
  }

  @Override
  public List<String> addNodes(int count, String prefix, NodeTemplate template) {
    return kubelets.register(count, prefix, template);
  }

  @Override
  public void close() {
    kubelets.close();
    controlPlane.close();
  }
}
