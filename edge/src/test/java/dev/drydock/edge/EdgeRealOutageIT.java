package dev.drydock.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.edge.control.EdgeAgentSettings;
import dev.drydock.edge.decide.ClusterMembership;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** A real API server that is off, hangs, is not trusted or refuses everything. */
@ClusterTest
class EdgeRealOutageIT {
  private static ControlPlane controlPlane;
  @TempDir private Path folder;
  private EdgeFixture edge;
  private String name;

  @BeforeAll
  static void start() {
    controlPlane = ControlPlane.start();
  }

  @AfterAll
  static void stop() {
    controlPlane.close();
  }

  @BeforeEach
  void cluster(TestInfo test) {
    name = "edge-out-" + Integer.toHexString(test.getDisplayName().hashCode());
    edge = EdgeFixture.real(controlPlane, folder, name).inFastTime().with(this::clustered);
    skipAfter(120);
  }

  private void skipAfter(int seconds) {
    edge.publish(
        edge.paths.configItems(),
        "{\"GlobalSettings\":{\"drain.skip.k8sapinotreachable.timeout\":{\"IntValue\":%d}}}"
            .formatted(seconds));
  }

  @AfterEach
  void end() {
    edge.close();
  }

  private EdgeAgentSettings clustered(EdgeAgentSettings own) {
    return new EdgeAgentSettings(
        own.node(),
        own.nodeUuid(),
        own.cordNamespace(),
        own.identity(),
        own.paths(),
        ClusterMembership.Wanted.YES,
        own.settingsFile(),
        own.turns(),
        own.lastCheck(),
        own.keepsCordon(),
        own.skipWait(),
        own.patience(),
        own.poll(),
        own.commands());
  }

  private void awaitSkipped() {
    edge.eventually().untilAsserted(() -> assertThat(edge.commands).containsExactly("reboot"));
    assertThat(edge.status().state()).isEqualTo(NodeDrainState.COMPLETE);
    assertThat(edge.log)
        .anyMatch(line -> line.contains("drainStatus:" + NodeDrainState.STARTING))
        .anyMatch(line -> line.contains("drain-complete skipped, the API server is unreachable"))
        .noneMatch(line -> line.startsWith("kubevirt_node_drain"));
  }

  @Test
  void aServerThatIsOffForTheWholeTimeoutSkipsTheDrain() {
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    controlPlane.stopApiServer();
    try {
      edge.ask(EdgeOperation.REBOOT, "reboot");
      awaitSkipped();
    } finally {
      controlPlane.startApiServer();
    }
  }

  @Test
  void aServerThatHangsForTheWholeTimeoutSkipsTheDrain() {
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    controlPlane.stallApiServer();
    try {
      edge.ask(EdgeOperation.REBOOT, "reboot");
      awaitSkipped();
    } finally {
      controlPlane.resumeApiServer();
    }
  }

  @Test
  void aServerThatIsNotTrustedForTheWholeTimeoutSkipsTheDrain() {
    Config other = edge.cluster.config();
    other.setCaCertData(other.getClientCertData());
    edge.start(RequestInterceptor.NONE, new QuickFiles(), other);
    edge.ask(EdgeOperation.REBOOT, "reboot");

    awaitSkipped();
    assertThat(edge.isCordoned(edge.node)).isFalse();
  }

  @Test
  void aServerThatRefusesEverythingFailsTheCordonAfterTenTries() {
    Config nobody = edge.cluster.config();
    nobody.setImpersonateUsername("nobody");
    skipAfter(3600); // a busy server is not taken for one that is away
    edge.start(RequestInterceptor.NONE, new QuickFiles(), nobody);
    edge.ask(EdgeOperation.REBOOT, "reboot");

    edge.awaitStatus(NodeDrainState.FAILEDCORDON);
    edge.eventually()
        .untilAsserted(() -> assertThat(edge.paths.progress()).content().contains("forbidden"));
    assertThat(edge.log)
        .anyMatch(line -> line.contains("drain-cordon-failure cordonNode"))
        .anyMatch(line -> line.contains("drain-failed-handler requester:DEVICEOP"));
    assertThat(edge.commands).isEmpty();
    edge.kill().start();
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.eventually().untilAsserted(() -> assertThat(edge.commands).containsExactly("reboot"));
  }

  @Test
  void aDrainSurvivesMinutesWithoutTheServer() {
    edge.runPod(name);
    edge.budget(name);
    edge.start();
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.eventually().until(() -> Files.readString(edge.paths.progress()).contains(name));
    controlPlane.stopApiServer();
    try {
      edge.eventually()
          .holdsFor(
              Duration.ofMinutes(2).dividedBy(FastTime.FASTER),
              () -> assertThat(edge.status().state()).isEqualTo(NodeDrainState.CORDONED));
      edge.kill().start();
    } finally {
      controlPlane.startApiServer();
    }
    edge.removeBudget(name);

    edge.eventually().untilAsserted(() -> assertThat(edge.commands).containsExactly("reboot"));
    assertThat(edge.hasPod(name)).isFalse();
  }
}
