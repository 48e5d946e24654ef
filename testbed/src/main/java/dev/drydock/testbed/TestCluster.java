package dev.drydock.testbed;

import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.sim.kubelet.SimulatedKubelets;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;

/** A cluster whose nodes have simulated kubelets, real or simulated itself. */
public interface TestCluster extends AutoCloseable {
  KubernetesClient client();

  /** What a client in another process would connect by. */
  Config config();

  /** Adds a node and returns its name, which begins with these words. */
  String addNode(String words);

  CommandResult kubectl(String input, String... arguments);

  @Override
  void close();

  /** A real control plane, which stays when this is closed. */
  static TestCluster real(ControlPlane controlPlane) {
    SimulatedKubelets kubelets = SimulatedKubelets.start(controlPlane.client());
    return new TestCluster() {
      @Override
      public KubernetesClient client() {
        return controlPlane.client();
      }

      @Override
      public Config config() {
        return Config.fromKubeconfig(controlPlane.kubeconfig().toFile());
      }

      @Override
      public String addNode(String words) {
        kubelets.register(words, NodeTemplate.DEFAULT);
        return words;
      }

      @Override
      public CommandResult kubectl(String input, String... arguments) {
        return controlPlane.kubectlWithInput(input, arguments);
      }

      @Override
      public void close() {
        kubelets.close();
      }
    };
  }

  /** A simulated cluster in real time, which ends when this is closed. */
  static TestCluster simulated(SimulatedCluster cluster) {
    Path folder = temporaryFolder();
    String kubeconfig = kubeconfig(cluster);
    KubernetesClient client =
        new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(kubeconfig)).build();
    return new TestCluster() {
      @Override
      public KubernetesClient client() {
        return client;
      }

      @Override
      public Config config() {
        return Config.fromKubeconfig(kubeconfig);
      }

      @Override
      public String addNode(String words) {
        return cluster.addNodes(1, words + "-", NodeTemplate.DEFAULT).getFirst();
      }

      @Override
      public CommandResult kubectl(String input, String... arguments) {
        try {
          Path file = Files.writeString(folder.resolve("kubeconfig"), kubeconfig);
          return CommandResult.run(
              Stream.concat(
                      Stream.of(KubernetesPrograms.obtain().kubectl().toString()),
                      Stream.of(arguments))
                  .toList(),
              Map.of(
                  "KUBECONFIG",
                  file.toString(),
                  "KUBECACHEDIR",
                  folder.resolve("cache").toString(),
                  "KUBERC",
                  "off"),
              input);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }

      @Override
      public void close() {
        client.close();
        cluster.close();
        delete(folder);
      }
    };
  }

  private static Path temporaryFolder() {
    try {
      return Files.createTempDirectory("drydock-test-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** With all that kubectl kept in it. */
  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String kubeconfig(SimulatedCluster cluster) {
    try {
      return cluster.kubeconfig();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
