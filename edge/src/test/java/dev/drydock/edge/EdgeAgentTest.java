package dev.drydock.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.edge.decide.DeferredOperation;
import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent at the edge on a simulated cluster, in virtual time. */
class EdgeAgentTest {
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
  void aRebootWaitsForItsDrain() {
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    edge.runPod("web");
    edge.ask(EdgeOperation.REBOOT, "reboot");

    edge.awaitStatus(NodeDrainState.COMPLETE);
    edge.eventually().until(() -> !edge.commands.isEmpty());
    assertThat(edge.hasPod("web")).isFalse();
    assertThat(edge.commands).containsExactly("reboot");
    assertThat(edge.isCordoned(edge.node)).isTrue();
    assertThat(edge.holds(edge.node)).contains("edge/" + edge.node, "before reboot");
    assertThat(edge.status().requestedBy()).isEqualTo(DrainRequester.DEVICEOP);
    assertThat(edge.log)
        .anyMatch(
            line -> line.matches("kubevirt_node_drain_completion_time_seconds:\\d+\\.\\d{6}"));
    edge.eventually().holdsFor(Duration.ofMinutes(10), () -> assertThat(edge.commands).hasSize(1));
  }

  @Test
  void aMachineThatWouldComeBackWithoutItsNetworkDriverDoesNotGo() {
    edge.start();
    driverMissing("True");
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.awaitStatus(NodeDrainState.COMPLETE);

    edge.eventually().holdsFor(Duration.ofMinutes(10), () -> assertThat(edge.commands).isEmpty());
    assertThat(edge.operation(EdgeOperation.REBOOT).orElseThrow().message())
        .isEqualTo(
            "a reboot would leave the node without its CXI driver: 6.9: no headers; mend that, or"
                + " force the operation");

    driverMissing("False");
    edge.eventually().until(() -> !edge.commands.isEmpty());
  }

  private void driverMissing(String status) {
    edge.cluster
        .client()
        .nodes()
        .withName(edge.node)
        .editStatus(
            found ->
                found
                    .edit()
                    .editStatus()
                    .removeMatchingFromConditions(
                        each -> each.getType().equals(CxiNames.DRIVER_MISSING))
                    .addNewCondition()
                    .withType(CxiNames.DRIVER_MISSING)
                    .withStatus(status)
                    .withReason("KernelHeadersMissing")
                    .withMessage("6.9: no headers")
                    .endCondition()
                    .endStatus()
                    .build());
  }

  @Test
  void aRequestWithoutATimeHasNoTimeOfCompletion() {
    edge.start();
    edge.publish(
        edge.paths.request(DrainRequester.DEVICEOP),
        "{\"RequestedAt\":\"0001-01-01T00:00:00Z\",\"RequestedBy\":2,\"Context\":\"reboot\"}");

    edge.awaitStatus(NodeDrainState.COMPLETE);
    assertThat(edge.log)
        .anyMatch(line -> line.equals("nodedrain-step:drain-complete"))
        .noneMatch(line -> line.startsWith("kubevirt_node_drain"));
  }

  @Test
  void afterTheBootTheNodeIsBack() {
    edge.start();
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.eventually().until(() -> !edge.commands.isEmpty());

    edge.reboot(false).start();

    edge.eventually().until(() -> !edge.isCordoned(edge.node));
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    assertThat(edge.operation(EdgeOperation.REBOOT)).isEmpty();
    assertThat(edge.commands).containsExactly("reboot");
  }

  @Test
  void aRequestWhoseCommandWasKilledIsRefusedAndTheLogAndTheStatusSaySo() {
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.killAsker();
    edge.cluster.pass(Duration.ofHours(3));
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);

    edge.eventually().holdsFor(Duration.ofMinutes(10), () -> assertThat(edge.commands).isEmpty());
    assertThat(edge.isCordoned(edge.node)).isFalse();
    assertThat(edge.paths.asked(EdgeOperation.REBOOT)).doesNotExist();
    assertThat(edge.operation(EdgeOperation.REBOOT)).isEmpty();
    assertThat(edge.log)
        .filteredOn(line -> line.contains("refused"))
        .singleElement()
        .asString()
        .matches(
            "reboot of \\S+ is refused: process 4711 ended before an agent took it; if it is still"
                + " wanted, ask again");
    assertThat(edge.paths.refused(EdgeOperation.REBOOT)).content().contains("process 4711 ended");

    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.eventually().until(() -> !edge.commands.isEmpty());
    assertThat(edge.paths.refused(EdgeOperation.REBOOT)).doesNotExist();
  }

  @Test
  void aRefusedRequestDoesNotReplaceTheOneThatWaits() {
    edge.publish(edge.paths.faultInjection(), "");
    edge.start();
    edge.ask(EdgeOperation.UPDATE, "image-1", "install", "1");
    edge.awaitStatus(NodeDrainState.CORDONED);
    edge.kill();
    edge.ask(EdgeOperation.UPDATE, "image-2", "install", "2");
    edge.killAsker();
    edge.start();
    edge.eventually()
        .until(() -> edge.log.stream().anyMatch(line -> line.contains("os-update to image-2 of")));
    assertThat(edge.paths.faultInjection().toFile().delete()).isTrue();

    edge.eventually().until(() -> !edge.commands.isEmpty());
    assertThat(edge.commands).containsExactly("install 1");
  }

  @Test
  void anUpdateThatNoAgentHadTakenIsRefusedAfterABoot() {
    edge.ask(EdgeOperation.UPDATE, "image", "install");
    edge.reboot(false).start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);

    edge.eventually().holdsFor(Duration.ofMinutes(10), () -> assertThat(edge.commands).isEmpty());
    assertThat(edge.log)
        .anyMatch(line -> line.contains("is refused: the machine has been restarted since"));
  }

  @Test
  void whatWasTakenOutlivesTheCommandTheAgentAndABoot() {
    edge.publish(edge.paths.faultInjection(), "");
    edge.start();
    edge.ask(EdgeOperation.UPDATE, "image", "install");
    edge.awaitStatus(NodeDrainState.CORDONED);
    edge.killAsker();
    edge.cluster.pass(Duration.ofHours(3));
    edge.kill().start();
    edge.cluster.pass(Duration.ofHours(3));
    edge.reboot(false).start();
    assertThat(edge.paths.faultInjection().toFile().delete()).isTrue();

    edge.eventually().until(() -> !edge.commands.isEmpty());
    assertThat(edge.commands).containsExactly("install");
    assertThat(edge.log).noneMatch(line -> line.contains("refused"));
  }

  @Test
  void aDamagedRequestIsRefused() {
    edge.publish(edge.paths.asked(EdgeOperation.SHUTDOWN), "{");
    edge.start();

    edge.eventually()
        .until(
            () ->
                edge.log.stream()
                    .anyMatch(
                        line ->
                            line.startsWith("shutdown is refused: its request cannot be read")));
    assertThat(edge.paths.asked(EdgeOperation.SHUTDOWN)).doesNotExist();
    edge.publish(edge.paths.cancel(), "");
    edge.eventually().until(() -> !Files.exists(edge.paths.refused(EdgeOperation.SHUTDOWN)));
  }

  @Test
  void aCordonOfOthersStaysAfterTheBoot() {
    edge.cluster
        .client()
        .nodes()
        .withName(edge.node)
        .edit(
            found -> {
              found.getSpec().setUnschedulable(true);
              return found;
            });
    edge.start();
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.eventually().until(() -> !edge.commands.isEmpty());

    edge.reboot(false).start();

    edge.eventually().until(() -> !edge.holds(edge.node).contains("edge/"));
    edge.eventually()
        .holdsFor(Duration.ofMinutes(2), () -> assertThat(edge.isCordoned(edge.node)).isTrue());
  }

  @Test
  void bothRequestersAreToldAndBothGo() {
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    edge.request(DrainRequester.DEVICEOP, "reboot");
    edge.request(DrainRequester.UPDATE, "image");

    edge.awaitStatus(NodeDrainState.COMPLETE);
    assertThat(edge.paths.statusFor(DrainRequester.DEVICEOP))
        .hasContent("{\"Status\":9,\"RequestedBy\":2}");
    assertThat(edge.paths.statusFor(DrainRequester.UPDATE))
        .hasContent("{\"Status\":9,\"RequestedBy\":3}");
    assertThat(edge.commands).as("others' operations are others'").isEmpty();
  }

  @Test
  void theNewestImageWins() {
    edge.start();
    edge.publish(edge.paths.faultInjection(), "");
    edge.ask(EdgeOperation.UPDATE, "image-1", "install", "1");
    edge.awaitStatus(NodeDrainState.CORDONED);
    edge.ask(EdgeOperation.UPDATE, "image-2", "install", "2");
    edge.eventually()
        .until(
            () -> Files.readString(edge.paths.request(DrainRequester.UPDATE)).contains("image-2"));
    assertThat(edge.paths.faultInjection().toFile().delete()).isTrue();

    edge.eventually().until(() -> !edge.commands.isEmpty());
    assertThat(edge.commands).containsExactly("install 2");
    edge.eventually()
        .until(
            () ->
                edge.operation(EdgeOperation.UPDATE).orElseThrow().state()
                    == DeferredOperation.State.DONE);
  }

  @Test
  void aForcedCompletionLetsTheOperationGoAtOnce() {
    edge.publish(edge.paths.faultInjection(), "");
    edge.start();
    edge.ask(EdgeOperation.POWEROFF, "poweroff");
    edge.awaitStatus(NodeDrainState.CORDONED);
    edge.force("{\"Status\":9,\"RequestedBy\":3}");
    edge.eventually()
        .holdsFor(
            Duration.ofMinutes(1), () -> assertThat(edge.commands).as("for another").isEmpty());
    edge.force("{\"Status\":9,\"RequestedBy\":2}");

    edge.eventually().until(() -> !edge.commands.isEmpty());
    assertThat(edge.commands).containsExactly("poweroff");
    assertThat(edge.paths.force().getFirst()).doesNotExist();
    assertThat(edge.log).noneMatch(line -> line.startsWith("kubevirt_node_drain"));
  }

  @Test
  void anOrderInTheOtherForceFileIsNotLost() {
    edge.publish(edge.paths.faultInjection(), "");
    edge.start();
    edge.request(DrainRequester.DEVICEOP, "reboot");
    edge.request(DrainRequester.UPDATE, "image");
    edge.awaitStatus(NodeDrainState.CORDONED);
    edge.publish(edge.paths.force().getLast(), "{\"Status\":9,\"RequestedBy\":2}");
    edge.force("{\"Status\":9,\"RequestedBy\":3}");

    edge.awaitStatus(NodeDrainState.COMPLETE);
    for (DrainRequester by : List.of(DrainRequester.DEVICEOP, DrainRequester.UPDATE)) {
      assertThat(edge.paths.statusFor(by)).content().contains("\"Status\":9");
    }
    assertThat(edge.paths.force()).allMatch(Files::notExists);
  }

  @Test
  void drainsThatAreSwitchedOffLetTheOperationGo() throws IOException {
    edge.publish(edge.paths.faultInjection(), "");
    edge.start();
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.awaitStatus(NodeDrainState.CORDONED);
    edge.eventually()
        .until(() -> Files.readString(edge.paths.nodeAgentStatus()).contains("InProgress\":true"));
    edge.force("garbage");
    edge.eventually().until(() -> edge.log.stream().anyMatch(line -> line.contains("is ignored")));
    edge.force("{\"Status\":1,\"RequestedBy\":1}");

    edge.awaitStatus(NodeDrainState.NOTSUPPORTED);
    edge.eventually().until(() -> !edge.commands.isEmpty());
    assertThat(edge.isCordoned(edge.node)).as("until the boot").isTrue();
    assertThat(Files.readString(edge.paths.nodeAgentStatus())).contains("InProgress\":false");
    assertThat(edge.paths.force().getFirst()).as("stays").exists();
  }

  @Test
  void aCancelledOperationGivesTheNodeBack() {
    edge.publish(edge.paths.faultInjection(), "");
    edge.start();
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.awaitStatus(NodeDrainState.CORDONED);
    edge.publish(edge.paths.cancel(), "");

    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    edge.eventually().until(() -> !edge.isCordoned(edge.node));
    assertThat(edge.paths.request(DrainRequester.DEVICEOP)).doesNotExist();
    assertThat(edge.operation(EdgeOperation.REBOOT)).isEmpty();
    assertThat(edge.commands).isEmpty();
  }

  @Test
  void aRecordOfEvesNodeagentStaysItsOwnAlsoAfterARestart() {
    String theirs = "{\"Name\":\"nodeagent\",\"WaitDrainInProgress\":false}";
    edge.publish(edge.paths.nodeAgentStatus(), theirs);
    edge.start();
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.eventually().until(() -> !edge.commands.isEmpty());
    edge.kill().start();
    edge.cluster.pass(Duration.ofMinutes(1));

    assertThat(edge.paths.nodeAgentStatus()).hasContent(theirs);
  }

  @Test
  void theLogHasTheWordsThatOperatorsSearchFor() {
    edge.start();
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.eventually().until(() -> !edge.commands.isEmpty());

    assertThat(String.join("\n", edge.log))
        .contains(
            "Beginning kubernetes node drain process this could be a very long operation depending"
                + " on replica rebuilds (24hours+)",
            "nodedrain-step:request requester:DEVICEOP scheduleDeviceOperation reboot",
            "nodedrain-step:drain-request-handle NodeDrainRequest",
            "nodedrain-step:drain-starting cordonAndDrainNode",
            "nodedrain-step:drain-inprogress-handler NodeDrainStatus:",
            "nodedrain-step:drain-cordon-complete cordonNode",
            "nodedrain-step:drain-attempt try:1",
            "nodedrain-step:changing drainStatus:",
            "nodedrain-step:drain-complete",
            "nodedrain-step:drain-complete-handler",
            "nodedrain-step:handle-complete requester:DEVICEOP scheduleDeviceOperation reboot",
            "INFO: Node Drain -> Complete");
  }

  @Test
  void theMetricsHaveTheirNames() {
    edge.publish(edge.paths.faultInjection(), "");
    edge.start();
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.awaitStatus(NodeDrainState.CORDONED);
    assertThat(edge.meters.scrape())
        .contains("drydock_edge_drain_status 5.0", "drydock_edge_operations_deferred 1.0");
    assertThat(edge.paths.faultInjection().toFile().delete()).isTrue();
    edge.eventually().until(() -> !edge.commands.isEmpty());

    assertThat(edge.meters.scrape())
        .contains(
            "kubevirt_node_drain_completion_time_seconds_bucket{le=\"3600.0\"} 1",
            "kubevirt_node_drain_completion_time_seconds_count 1",
            "drydock_edge_drains_total{how=\"DRAINED\",status=\"COMPLETE\"} 1.0",
            "drydock_edge_drain_status 9.0");
    edge.eventually()
        .untilAsserted(
            () ->
                assertThat(edge.meters.scrape()).contains("drydock_edge_operations_deferred 0.0"));
  }

  @Test
  void aBrokenForceFileIsAnEventOnTheNodeOnce() {
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    edge.force("{\"Status\":4,\"RequestedBy\":1}");

    edge.eventually()
        .untilAsserted(
            () ->
                assertThat(edge.events("ForceFileIgnored"))
                    .singleElement()
                    .asString()
                    .contains("only status 1 (no drains) and 9 (complete) can be forced"));
    edge.cluster.pass(Duration.ofMinutes(5));
    assertThat(edge.events("ForceFileIgnored")).hasSize(1);
    assertThat(edge.status().state()).isEqualTo(NodeDrainState.NOTREQUESTED);
  }

  @Test
  void aStopIsAcknowledgedAndObeyed() {
    edge.createNamespace("drydock-system");
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    try (TestProcess person = edge.cluster.process()) {
      AndonCord cord = new AndonCord(person.kube(), "drydock-system");
      var _ = cord.pull("somebody", "not now");
      String version = cord.version().orElseThrow();
      edge.eventually()
          .untilAsserted(() -> assertThat(edge.lease().orElseThrow()).contains(version));
      edge.ask(EdgeOperation.REBOOT, "reboot");
      edge.eventually().until(() -> Files.readString(edge.paths.progress()).contains("not now"));
      edge.eventually()
          .holdsFor(
              Duration.ofMinutes(10),
              () -> assertThat(edge.isCordoned(edge.node)).as("nothing starts").isFalse());
      assertThat(cord.release()).isTrue();
    }

    edge.eventually().until(() -> !edge.commands.isEmpty());
    edge.eventually().untilAsserted(() -> assertThat(edge.lease()).isEmpty());
  }
}
