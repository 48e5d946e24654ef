package dev.drydock.demo;

import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.StagedCluster;
import dev.drydock.sim.kubelet.KubeletKnobs;
import dev.drydock.sim.kubelet.NodeTemplate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * A simulated cluster in this process, in real time, with its kubeconfig in a folder of its own.
 */
final class SimulatedStage implements StagedCluster {
  private final SimulatedCluster cluster;
  private final Path folder;

  private SimulatedStage(SimulatedCluster cluster, Path folder) {
    this.cluster = cluster;
    this.folder = folder;
  }

  static StagedCluster start(KubeletKnobs knobs, Consumer<String> progress) {
    progress.accept("starting a simulated cluster in this process");
    SimulatedCluster cluster =
        SimulatedCluster.running(
            SimulatedCluster.Settings.usual().withKnobs(knobs).withHeartbeats());
    try {
      SimulatedStage stage =
          new SimulatedStage(cluster, Files.createTempDirectory("drydock-demo-"));
      Files.writeString(stage.kubeconfig(), cluster.kubeconfig());
      return stage;
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
