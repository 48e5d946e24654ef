package dev.drydock.simulate.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.sim.kubelet.SimulatedKubelets;
import dev.drydock.simulate.fleet.Fleet;
import dev.drydock.simulate.fleet.FleetReader;
import dev.drydock.simulate.fleet.Pool;
import dev.drydock.simulate.fleet.Workload;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exports a real cluster and simulates it. */
@ClusterTest
class ExportCommandIT {
  @Test
  void anExportAndAFlagAreAQuestion(
      ControlPlane cluster, TestNamespace namespace, @TempDir Path folder) {
    String node = namespace.name() + "-one";
    try (SimulatedKubelets kubelets = SimulatedKubelets.start(cluster.client())) {
      NodeTemplate own = NodeTemplate.DEFAULT.withLabel("test", namespace.name());
      kubelets.register(node, own);
      kubelets.register(namespace.name() + "-two", own);
      deploy(cluster, namespace.name());
      Path file = folder.resolve("fleet.yaml");

      CommandOutcome export =
          CommandOutcome.run(
              "export",
              "-n",
              namespace.name(),
              "-o",
              file.toString(),
              "--kubeconfig",
              cluster.kubeconfig().toString());

      assertThat(export.exitCode()).as(export.err()).isZero();
      Fleet fleet = FleetReader.read(file);
      assertThat(fleet.pools().stream().flatMap(pool -> pool.nodes().stream()).map(Pool.Node::name))
          .contains(node);
      Workload web = fleet.workloads().getFirst();
      assertThat(web).hasToString(namespace.name() + "/web");
      assertThat(web.replicas()).isEqualTo(4);
      assertThat(web.where().placed()).containsKey(node);
      CommandOutcome answer =
          CommandOutcome.run(
              "simulate", file.toString(), "--drain", "kubernetes.io/hostname=" + node);
      assertThat(answer.exitCode()).as(answer.err()).isZero();
      assertThat(answer.out()).contains("Drained: 1 of 1 node.");
    } finally {
      cluster.client().nodes().withLabel("test", namespace.name()).delete();
    }
  }

  private static void deploy(ControlPlane cluster, String namespace) {
    cluster
        .client()
        .resource(
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web, namespace: %s}
            spec:
              replicas: 4
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec:
                  nodeSelector: {test: %s}
                  topologySpreadConstraints:
                    - maxSkew: 1
                      topologyKey: kubernetes.io/hostname
                      whenUnsatisfiable: DoNotSchedule
                      labelSelector: {matchLabels: {app: web}}
                  containers: [{name: main, image: simulated}]
            """
                .formatted(namespace, namespace))
        .create();
    await()
        .atMost(Duration.ofMinutes(3))
        .until(
            () ->
                cluster.client().pods().inNamespace(namespace).list().getItems().stream()
                        .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                        .count()
                    == 4);
  }
}
