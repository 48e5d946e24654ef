package dev.drydock.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.edge.decide.DeferredOperation;
import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.testkit.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
}
