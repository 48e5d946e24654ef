package dev.drydock.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.testbed.ClusterTest;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** Requesters, budgets, forcing and configuration, on a real API server with its controllers. */
@ClusterTest
class EdgeRequestersIT extends RealEdgeScenario {
  @Test
  void aRebootWaitsForABudgetAndTheAgentHasTheRightsThatItNeeds() {
    edge.runPod(name);
    edge.budget(name);
    edge.start();
    edge.ask(EdgeOperation.REBOOT, "reboot");

    awaitWaits(name);
    assertThat(edge.status().state()).isEqualTo(NodeDrainState.CORDONED);
    edge.eventually()
        .until(
            () ->
                edge.log.stream()
                    .anyMatch(
                        line ->
                            line.contains("pod-evict-err")
                                && line.contains(
                                    "Cannot evict pod as it would violate the pod's disruption"
                                        + " budget")));
    assertThat(edge.commands).isEmpty();
    edge.removeBudget(name);

    awaitCommands("reboot");
    assertThat(edge.hasPod(name)).isFalse();
    assertThat(edge.holds(edge.node)).contains("edge/" + edge.node);
    edge.reboot(false).start();
    edge.eventually().until(() -> !edge.isCordoned(edge.node));
    assertThat(edge.forbidden()).isEmpty();
  }

  @Test
  void bothRequestersAtOnceAreBothReleased() {
    edge.runPod(name);
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    edge.request(DrainRequester.DEVICEOP, "reboot");
    edge.request(DrainRequester.UPDATE, "image");

    edge.awaitStatus(NodeDrainState.COMPLETE);
    edge.eventually()
        .untilAsserted(
            () -> {
              assertThat(edge.paths.statusFor(DrainRequester.DEVICEOP))
                  .hasContent("{\"Status\":9,\"RequestedBy\":2}");
              assertThat(edge.paths.statusFor(DrainRequester.UPDATE))
                  .hasContent("{\"Status\":9,\"RequestedBy\":3}");
            });
    assertThat(edge.hasPod(name)).isFalse();
    assertThat(edge.log.stream().filter(line -> line.contains("drain-attempt"))).hasSize(1);
  }

  @Test
  void anUpdateThatIsSwitchedToAnotherImageInstallsThatOne() {
    edge.runPod(name);
    edge.budget(name);
    edge.start();
    edge.ask(EdgeOperation.UPDATE, "image-1", "install", "1");
    awaitWaits(name);
    edge.ask(EdgeOperation.UPDATE, "image-2", "install", "2");
    edge.eventually()
        .until(
            () -> Files.readString(edge.paths.request(DrainRequester.UPDATE)).contains("image-2"));
    edge.removeBudget(name);

    awaitCommands("install 2");
    assertThat(edge.log.stream().filter(line -> line.contains("drain-attempt"))).hasSize(1);
  }

  @Test
  void aPersonForcesEachRequesterByItself() {
    edge.runPod(name);
    edge.budget(name);
    edge.start();
    edge.ask(EdgeOperation.POWEROFF, "poweroff");
    edge.request(DrainRequester.UPDATE, "image");
    awaitWaits(name);
    edge.force("garbage");
    edge.eventually().until(() -> edge.events("ForceFileIgnored").size() == 1);
    edge.force("{\"Status\":9,\"RequestedBy\":3}");

    edge.eventually()
        .untilAsserted(
            () ->
                assertThat(edge.paths.statusFor(DrainRequester.UPDATE))
                    .hasContent("{\"Status\":9,\"RequestedBy\":3}"));
    assertThat(edge.commands).as("for another").isEmpty();
    edge.eventually()
        .untilAsserted(
            () ->
                assertThat(edge.paths.force()).allSatisfy(file -> assertThat(file).doesNotExist()));
    edge.publish(edge.paths.force().getLast(), "{\"Status\":9,\"RequestedBy\":2}");

    awaitCommands("poweroff");
    assertThat(edge.hasPod(name)).as("the budget still holds").isTrue();
    assertThat(edge.log).noneMatch(line -> line.startsWith("kubevirt_node_drain"));
    edge.removeBudget(name);
  }

  @Test
  void drainsThatAreSwitchedOffLetTheOperationGo() {
    edge.runPod(name);
    edge.budget(name);
    edge.start();
    edge.ask(EdgeOperation.SHUTDOWN, "shutdown");
    awaitWaits(name);
    edge.force("{\"Status\":1,\"RequestedBy\":1}");

    awaitCommands("shutdown");
    edge.awaitStatus(NodeDrainState.NOTSUPPORTED);
    assertThat(edge.isCordoned(edge.node)).as("until the boot").isTrue();
    assertThat(edge.paths.force().getFirst()).exists();
    edge.removeBudget(name);
  }

  @Test
  void aConfigurationThatChangesDuringTheDrainChangesNothing() {
    String config =
        "{\"Initialized\":true,\"Valid\":true,\"ClusterName\":\"%s\",\"BootstrapNode\":false}";
    edge.publish(edge.paths.clusterConfig(), config.formatted("one"));
    edge.runPod(name);
    edge.budget(name);
    edge.start();
    edge.ask(EdgeOperation.REBOOT, "reboot");
    awaitWaits(name);
    edge.publish(edge.paths.clusterConfig(), config.formatted("two"));
    edge.publish(edge.paths.clusterConfig(), "{\"Initialized\":false,\"Valid\":false}");
    edge.publish(
        edge.paths.configItems(),
        "{\"GlobalSettings\":{\"kubernetes.drain.timeout\":{\"IntValue\":1}}}");
    edge.cluster.pass(edge.settings(edge.node).poll());

    assertThat(edge.status().state()).isEqualTo(NodeDrainState.CORDONED);
    edge.removeBudget(name);
    awaitCommands("reboot");
  }
}
