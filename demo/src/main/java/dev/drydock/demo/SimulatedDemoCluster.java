package dev.drydock.demo;

import dev.drydock.sim.DemoCluster;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.kubelet.KubeletKnobs;
import dev.drydock.sim.kubelet.NodeTemplate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** A simulated cluster in this process, in real time, with its kubeconfig in its own folder. */
final class SimulatedDemoCluster implements DemoCluster {
  private final SimulatedCluster cluster;
  private final Path folder;

  private SimulatedDemoCluster(SimulatedCluster cluster, Path folder) {
    this.cluster = cluster;
    this.folder = folder;
  }

  static DemoCluster start(KubeletKnobs knobs, Consumer<String> progress) {
    progress.accept("starting a simulated cluster in this process");
    SimulatedCluster cluster =
        SimulatedCluster.running(
            SimulatedCluster.Settings.defaults().withKnobs(knobs).withHeartbeats());
    try {
      SimulatedDemoCluster demoCluster =
          new SimulatedDemoCluster(cluster, Files.createTempDirectory("drydock-demo-"));
      Files.writeString(demoCluster.kubeconfig(), cluster.kubeconfig());
      return demoCluster;
    } catch (IOException e) {
      cluster.close();
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Path kubeconfig() {
    return folder.resolve("kubeconfig");
  }

  @Override
  public List<String> addNodes(int count, String prefix, NodeTemplate template) {
    return cluster.addNodes(count, prefix, template);
  }

  @Override
  public void close() {
    cluster.close();
    try {
      Files.deleteIfExists(kubeconfig());
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
