package dev.drydock.health.drainer;

import static dev.drydock.health.drainer.NodeDrainerFixture.IMMEDIATE;
import static dev.drydock.health.drainer.NodeDrainerFixture.fault;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.drainer.NodeDrainerFixture.Operator;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.kube.ApiCall;
import dev.drydock.testkit.DyingProcess;
import dev.drydock.testkit.LoopBug;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A bug about one node, or in one loop, harms no other. */
class NodeDrainerIsolationTest {
  private final NodeDrainerFixture fixture = NodeDrainerFixture.simulated();
  private final LoopBug bug = new LoopBug();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void theOtherNodesAreDrained() {
    String bad = fixture.addNode();
    String good = fixture.addNode();
    bug.at(
        call ->
            DyingProcess.isWrite(call)
                && call.path().endsWith("/nodes/" + bad)
                && String.valueOf(call.body()).contains("draining"));
    try (Operator operator = fixture.operator(IMMEDIATE, bug)) {
      String ofBad = fixture.send(fault(bad));
      String ofGood = fixture.send(fault(good));

      bug.staysIn(
          "node-drainer",
          operator.process().kube(),
          fixture.cluster().eventually(),
          () ->
              assertThat(List.of(fixture.drain(ofGood), fixture.drain(ofBad)))
                  .containsExactly("Succeeded", "InProgress"),
          () -> assertThat(fixture.drain(ofBad)).isEqualTo("Succeeded"));
    }
  }

  /** More events than the feed has room for. */
  @Test
  void aFloodOfANodeThatCannotBeDrainedHoldsUpNoOther() {
    String bad = fixture.addNode();
    String good = fixture.addNode();
    fixture.store.onUpdate =
        update -> {
          boolean drain =
              update.update().values().keySet().stream()
                  .anyMatch(field -> field.name().startsWith("USER_PODS"));
          String node = fixture.store.get(update.id()).orElseThrow().event().nodeName();
          if (drain && node.equals(bad)) {
            bug.strike();
          }
        };
    try (Operator operator = fixture.operator(IMMEDIATE, bug)) {
      List<String> flood =
          IntStream.range(0, ChangeFeed.IN_FLIGHT + 100)
              .mapToObj(i -> fixture.send(fault(bad).entity("GPU", "0").errorCode("" + i % 7)))
              .toList();
      fixture
          .cluster()
          .eventually()
          .until(
              () -> {
                String status =
                    fixture.store.get(flood.getLast()).orElseThrow().status().nodeQuarantined();
                return status.endsWith("uarantined");
              });
      String ofGood = fixture.send(fault(good));

      bug.staysIn(
          "node-drainer",
          operator.process().kube(),
          fixture.cluster().eventually(),
          () -> assertThat(fixture.drain(ofGood)).isEqualTo("Succeeded"),
          () ->
              assertThat(flood)
                  .allSatisfy(
                      id -> assertThat(fixture.drain(id)).isIn("Succeeded", "AlreadyDrained")));
    }
  }

  @Test
  void nodesAreQuarantinedWhileDrainsGetNoEvents() {
    String node = fixture.addNode();
    fixture.store.onFeed =
        consumer -> {
          if (consumer.equals(HealthNames.NODE_DRAINER)) {
            bug.strike();
          }
        };
    try (Operator operator = fixture.operator(IMMEDIATE, bug)) {
      String id = fixture.send(fault(node));

      bug.staysIn(
          "node-drainer-feed",
          operator.process().kube(),
          fixture.cluster().eventually(),
          () -> {
            assertThat(fixture.state(node)).isEqualTo("quarantined");
            assertThat(fixture.drain(id)).isEmpty();
          },
          () -> assertThat(fixture.drain(id)).isEqualTo("Succeeded"));
    }
  }

  @Test
  void nodesAreDrainedWhileNamespacesCannotBeLookedAt() {
    String node = fixture.addNode();
    bug.at(
        call -> call.verb() == ApiCall.Verb.LIST && call.path().startsWith("/api/v1/namespaces?"));
    try (Operator operator = fixture.operator(IMMEDIATE, bug)) {
      String id = fixture.send(fault(node));

      bug.staysIn(
          "system-namespaces",
          operator.process().kube(),
          fixture.cluster().eventually(),
          () -> assertThat(fixture.drain(id)).isEqualTo("Succeeded"),
          () -> assertThat(fixture.drain(id)).isEqualTo("Succeeded"));
    }
  }

  @Test
  void namespacesThatLookLikeTheSystemsAreFound() {
    for (String name : List.of("acme-system", "acme-operator", "gpu-operator", "shop")) {
      fixture.namespace(name);
    }
    String node = fixture.addNode();
    fixture.pod(
        node,
        "shop",
        "critical",
        pod -> pod.editSpec().withPriorityClassName("system-cluster-critical").endSpec());
    try (SystemNamespaceCheck check =
        new SystemNamespaceCheck(
            fixture.cluster().process().kube(), NodeDrainerFile.parse(IMMEDIATE, "t"))) {
      check.start();
      fixture
          .cluster()
          .eventually()
          .untilAsserted(
              () ->
                  assertThat(check.unprotected())
                      .containsExactlyInAnyOrder("acme-operator", "acme-system", "shop"));
    }
  }
}
