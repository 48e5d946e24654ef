package dev.drydock.edge.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.edge.control.EdgeAgentSettings;
import dev.drydock.edge.decide.ClusterMembership;
import dev.drydock.edge.decide.DeferredOperation;
import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainRequest;
import dev.drydock.edge.record.BootId;
import dev.drydock.edge.record.DiskFiles;
import dev.drydock.edge.record.EdgePaths;
import dev.drydock.edge.record.EdgeRecords;
import dev.drydock.edge.record.ProcFolder;
import dev.drydock.edge.record.PublishedFiles;
import dev.drydock.edge.record.StoredOperation;
import dev.drydock.serve.feature.AgentContext;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent as it runs on a machine, with a real API server; what reboots is a touched file. */
@ClusterTest
class EdgeProcessIT {
  @TempDir private Path folder;

  private EdgePaths paths() {
    return new EdgePaths(folder.resolve("run"), folder.resolve("persist"), folder.resolve("tmp"));
  }

  private Path rebooted() {
    return folder.resolve("rebooted");
  }

  /**
   * @param skipAfter so many seconds without an API server skip the drain
   */
  private EdgeProcess start(TestCluster cluster, TestProcess process, String node, int skipAfter)
      throws IOException {
    Path settings = folder.resolve("settings.json");
    Files.writeString(
        settings, "{\"drain.skip.k8sapinotreachable.timeout\": %d}".formatted(skipAfter));
    return EdgeProcess.start(
        new AgentContext(
            process.kube(),
            cluster.client(),
            node,
            "drydock-system",
            "it",
            new SimpleMeterRegistry()),
        new EdgeAgentSettings(
            node,
            "",
            "drydock-system",
            "it",
            paths(),
            ClusterMembership.Wanted.YES,
            Optional.of(settings),
            true,
            true,
            true,
            Duration.ZERO,
            Duration.ofSeconds(60),
            Duration.ofSeconds(30),
            Map.of(EdgeOperation.REBOOT, List.of("touch", rebooted().toString()))),
        new EdgeProcess.Extras(false, Optional.of(folder.resolve("newlog")), 10));
  }

  private void askReboot(TestCluster cluster) throws IOException {
    publish(
        paths().asked(EdgeOperation.REBOOT),
        StoredOperation.write(
            new DeferredOperation(
                EdgeOperation.REBOOT,
                DeferredOperation.State.ASKED,
                cluster.clock().instant(),
                BootId.read(),
                "reboot",
                List.of(),
                ""),
            ProcFolder.HERE.self(Duration.ZERO)));
  }

  private static void publish(Path file, String text) {
    new PublishedFiles(new DiskFiles()).publish(file, text);
  }

  private void awaitStatus(Eventually eventually, String text) {
    eventually.untilAsserted(() -> assertThat(paths().status()).hasContent(text));
  }

  @Test
  void aRebootWaitsForABudgetAndBothRequestersAreTold(ControlPlane controlPlane)
      throws IOException {
    try (TestCluster cluster = TestCluster.real(controlPlane);
        TestProcess process = cluster.process()) {
      String node = cluster.addNode("edge-it-a");
      String peer = cluster.addNode("edge-it-b");
      cluster.runPod("default", "edge-it-web", node);
      var budget =
          cluster
              .kubectl(
                  """
                  apiVersion: policy/v1
                  kind: PodDisruptionBudget
                  metadata: {name: edge-it-web, namespace: default}
                  spec: {maxUnavailable: 0, selector: {matchLabels: {app: edge-it-web}}}
                  """,
                  "apply",
                  "-f",
                  "-")
              .output();
      assertThat(budget).contains("created");
      try (EdgeProcess agent = start(cluster, process, node, 3600)) {
        awaitStatus(cluster.eventually(), "{\"Status\":2,\"RequestedBy\":1}");
        askReboot(cluster);
        publish(
            paths().request(DrainRequester.UPDATE),
            EdgeRecords.write(
                new NodeDrainRequest(cluster.clock().instant(), DrainRequester.UPDATE, "image")));

        cluster
            .eventually()
            .untilAsserted(
                () -> assertThat(Files.readString(paths().progress())).contains("edge-it-web"));
        awaitStatus(cluster.eventually(), "{\"Status\":5,\"RequestedBy\":2}");
        assertThat(rebooted()).doesNotExist();
        var _ = cluster.kubectl("", "delete", "pdb", "edge-it-web").output();

        cluster.eventually().untilAsserted(() -> assertThat(rebooted()).exists());
        assertThat(paths().status()).hasContent("{\"Status\":9,\"RequestedBy\":2}");
        assertThat(paths().statusFor(DrainRequester.UPDATE))
            .hasContent("{\"Status\":9,\"RequestedBy\":3}");
        assertThat(cluster.client().nodes().withName(node).require().getSpec().getUnschedulable())
            .isTrue();
        assertThat(cluster.client().nodes().withName(peer).require().getSpec().getUnschedulable())
            .isNull();
        assertThat(agent).isNotNull();
      } finally {
        var _ = cluster.client().nodes().withName(node).delete();
        var _ = cluster.client().nodes().withName(peer).delete();
      }
    }
  }

  @Test
  void withoutAnApiServerTheDrainIsSkippedInTime() throws IOException {
    try (ControlPlane own = ControlPlane.start();
        TestCluster cluster = TestCluster.real(own);
        TestProcess process = cluster.process()) {
      String node = cluster.addNode("edge-it-c");
      try (EdgeProcess agent = start(cluster, process, node, 3)) {
        awaitStatus(cluster.eventually(), "{\"Status\":2,\"RequestedBy\":1}");
        own.stopApiServer();
        askReboot(cluster);

        cluster.eventually().untilAsserted(() -> assertThat(rebooted()).exists());
        assertThat(paths().status()).hasContent("{\"Status\":9,\"RequestedBy\":2}");
        assertThat(agent).isNotNull();
      }
    }
  }
}
