package dev.drydock.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.edge.control.EdgeAgentSettings;
import dev.drydock.edge.decide.ClusterMembership;
import dev.drydock.edge.decide.DeferredOperation;
import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.testkit.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several machines, budgets, and nodes with special roles, in virtual time. */
class EdgeClusterTest {
  @TempDir private Path folder;
  private EdgeFixture edge;

  @BeforeEach
  void cluster() {
    edge = new EdgeFixture(TestCluster.simulated(), folder);
  }

  @AfterEach
  void end() {
    edge.close();
  }

  @Test
  void updateAllRollsThroughTheCluster() throws Exception {
    String third = edge.cluster.addNode("edge-c");
    List<EdgeFixture> machines = new ArrayList<>(List.of(edge));
    for (String name : List.of(edge.peer, third)) {
      machines.add(edge.machine(Files.createDirectory(folder.resolve(name)), name));
    }
    AtomicInteger most = new AtomicInteger();
    for (EdgeFixture machine : machines) {
      machine.start();
      machine.awaitStatus(NodeDrainState.NOTREQUESTED);
    }
    machines.forEach(machine -> machine.ask(EdgeOperation.REBOOT, "reboot"));
    for (int done = 1; done <= 3; done++) {
      int wanted = done;
      edge.eventually()
          .untilAsserted(
              () -> {
                long out =
                    machines.stream()
                        .filter(machine -> edge.holds(machine.node).contains("edge/"))
                        .count();
                most.accumulateAndGet((int) out, Math::max);
                assertThat(machines.stream().filter(machine -> !machine.commands.isEmpty()))
                    .hasSize(wanted);
              });
      EdgeFixture gone =
          machines.stream()
              .filter(machine -> !machine.commands.isEmpty())
              .filter(machine -> edge.isCordoned(machine.node))
              .findFirst()
              .orElseThrow();
      edge.cluster.pass(Duration.ofMinutes(3));
      assertThat(machines.stream().filter(machine -> !machine.commands.isEmpty()))
          .as("others wait while one is down")
          .hasSize(wanted);
      gone.reboot(false).start();
    }
    assertThat(most).as("nodes out at a time").hasValue(1);
    edge.eventually().until(() -> machines.stream().noneMatch(m -> edge.isCordoned(m.node)));
    machines.stream().skip(1).forEach(EdgeFixture::close);
  }

  @Test
  void aBudgetHoldsTheRebootUpUntilItOpens() {
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    edge.runPod("web");
    edge.budget("web");
    edge.ask(EdgeOperation.REBOOT, "reboot");

    edge.eventually().until(() -> Files.readString(edge.paths.progress()).contains("default/web"));
    edge.eventually()
        .holdsFor(
            Duration.ofMinutes(10),
            () -> {
              assertThat(edge.commands).isEmpty();
              assertThat(edge.status().state()).isEqualTo(NodeDrainState.CORDONED);
            });
    assertThat(edge.log)
        .anyMatch(
            line ->
                line.contains("pod-evict-err")
                    && line.contains(
                        "Cannot evict pod as it would violate the pod's disruption budget"));
    edge.removeBudget("web");

    edge.eventually().until(() -> !edge.commands.isEmpty());
    assertThat(edge.hasPod("web")).isFalse();
  }

  private void uncordon() {
    edge.cluster
        .client()
        .nodes()
        .withName(edge.node)
        .edit(
            found -> {
              found.getSpec().setUnschedulable(null);
              return found;
            });
  }

  @Test
  void aPersonWhoUncordonsEndsTheDrainAndAskingAgainBeginsAnother() {
    edge.publish(edge.paths.faultInjection(), "");
    edge.start();
    edge.runPod("web");
    edge.budget("web");
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.awaitStatus(NodeDrainState.CORDONED);
    uncordon();

    edge.awaitStatus(NodeDrainState.FAILEDDRAIN);
    edge.eventually().until(() -> Files.notExists(edge.paths.request(DrainRequester.DEVICEOP)));
    assertThat(edge.operation(EdgeOperation.REBOOT)).isPresent();
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.awaitStatus(NodeDrainState.CORDONED);
    assertThat(edge.commands).isEmpty();
  }

  @Test
  void aRebootWhoseDrainFailedDoesNotGoWithTheDrainOfAnUpdate() {
    edge.start();
    edge.runPod("web");
    edge.budget("web");
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.awaitStatus(NodeDrainState.CORDONED);
    uncordon();
    edge.awaitStatus(NodeDrainState.FAILEDDRAIN);
    edge.eventually().until(() -> Files.notExists(edge.paths.request(DrainRequester.DEVICEOP)));
    edge.removeBudget("web");

    edge.ask(EdgeOperation.UPDATE, "image", "install");
    edge.eventually().until(() -> !edge.commands.isEmpty());
    edge.eventually()
        .holdsFor(
            Duration.ofMinutes(10), () -> assertThat(edge.commands).containsExactly("install"));
    assertThat(edge.paths.request(DrainRequester.DEVICEOP)).doesNotExist();
    assertThat(edge.operation(EdgeOperation.REBOOT).orElseThrow().state())
        .isEqualTo(DeferredOperation.State.KEPT);
    assertThat(edge.paths.nodeAgentStatus()).content().contains("\"WaitDrainInProgress\":true");
  }

  @Test
  void aNodeAloneIsNotSupportedAndGoesAtOnce() {
    edge.with(own -> clustered(own, ClusterMembership.Wanted.NO)).start();
    edge.ask(EdgeOperation.REBOOT, "reboot");

    edge.eventually().until(() -> !edge.commands.isEmpty());
    assertThat(edge.status().state()).isEqualTo(NodeDrainState.NOTSUPPORTED);
    assertThat(edge.isCordoned(edge.node)).isFalse();
  }

  private static EdgeAgentSettings clustered(
      EdgeAgentSettings own, ClusterMembership.Wanted wanted) {
    return new EdgeAgentSettings(
        own.node(),
        own.nodeUuid(),
        own.cordNamespace(),
        own.identity(),
        own.paths(),
        wanted,
        own.settingsFile(),
        own.turns(),
        own.lastCheck(),
        own.keepsCordon(),
        own.skipWait(),
        own.patience(),
        own.poll(),
        own.commands());
  }

  @Test
  void theConfigurationOfEveCountsAndItsEndRemovesTheNode() {
    edge.publish(
        edge.paths.clusterConfig(), "{\"Initialized\":true,\"Valid\":true,\"ClusterName\":\"c\"}");
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    edge.publish(edge.paths.clusterConfig(), "{\"Initialized\":false,\"Valid\":false}");
    edge.eventually()
        .holdsFor(
            Duration.ofMinutes(1),
            () -> assertThat(edge.status().state()).isEqualTo(NodeDrainState.NOTREQUESTED));
    edge.publish(edge.paths.clusterConfig(), "{\"Initialized\":true,\"Valid\":false}");

    edge.awaitStatus(NodeDrainState.NOTSUPPORTED);
    edge.eventually().until(() -> edge.cluster.client().nodes().withName(edge.node).get() == null);
    assertThat(edge.status().requestedBy()).isEqualTo(DrainRequester.NONE);
  }

  @Test
  void aTieBreakerStaysCordonedAndOthersDoNotWaitForIt() throws IOException {
    edge.start();
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.eventually().until(() -> !edge.commands.isEmpty());
    label(found -> found.put("tie-breaker-node", "true"));
    edge.reboot(false).start();

    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    edge.eventually()
        .untilAsserted(
            () ->
                assertThat(edge.holds(edge.node)).contains("tie-breaker/").doesNotContain("edge/"));
    edge.eventually()
        .holdsFor(Duration.ofMinutes(5), () -> assertThat(edge.isCordoned(edge.node)).isTrue());
    assertThat(edge.log.stream().filter(line -> line.contains("stays cordoned"))).hasSize(1);
    try (EdgeFixture peer = edge.machine(Files.createDirectory(folder.resolve("b")), edge.peer)) {
      peer.start();
      peer.ask(EdgeOperation.REBOOT, "reboot");
      peer.eventually().until(() -> !peer.commands.isEmpty());
    }
    label(found -> found.remove("tie-breaker-node"));
    edge.reboot(false).start();

    edge.eventually().until(() -> !edge.isCordoned(edge.node));
  }

  private void label(Consumer<Map<String, String>> change) {
    edge.cluster
        .client()
        .nodes()
        .withName(edge.node)
        .edit(
            found -> {
              change.accept(found.getMetadata().getLabels());
              return found;
            });
  }
}
