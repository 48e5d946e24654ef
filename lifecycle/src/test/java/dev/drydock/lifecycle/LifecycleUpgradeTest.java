package dev.drydock.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.sim.SimulatedCluster;
import dev.drydock.testkit.StoredCluster;
import dev.drydock.testkit.TestCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A node in the middle of a drain and one that is held after its drain, as an earlier build's
 * agents left them: the agents of this build carry on. {@code docs/image.md} says when and how to
 * store them anew.
 */
class LifecycleUpgradeTest extends LifecycleContract {
  private static final Path STORED = Path.of("src", "test", "resources", "upgrade", "cluster.json");

  private static final List<String> KINDS =
      List.of(
          "/api/v1/nodes",
          "/api/v1/pods",
          "/apis/policy/v1/poddisruptionbudgets",
          "/apis/coordination.k8s.io/v1/leases",
          "/apis/lifecycle.k8s.io/v1alpha1/lifecycletransitions",
          "/apis/lifecycle.k8s.io/v1alpha1/lifecycleevents");

  @Override
  void open(LifecycleFixture own) {
    // made by start()
  }

  private SimulatedCluster start(Instant at) {
    SimulatedCluster cluster = SimulatedCluster.stepped(SimulatedCluster.Settings.defaults(), at);
    fixture = new LifecycleFixture(TestCluster.simulated(cluster), "default");
    return cluster;
  }

  @Test
  @EnabledIfSystemProperty(named = "upgrade.record", matches = "true")
  void store() throws IOException {
    SimulatedCluster cluster = start(Instant.parse("2026-01-01T00:00:00Z"));
    String held = fixture.node();
    TestAgent _ = fixture.agent(held);
    fixture.event("done", LifecycleFixture.DRAIN, held);
    fixture.awaitGone("done");
    String blocked = blockedNode();
    TestAgent _ = fixture.agent(blocked);
    fixture.event("blocked", LifecycleFixture.DRAIN, blocked);
    awaitBlocked("blocked");

    StoredCluster.of(cluster, KINDS).write(STORED);
  }

  @Test
  void whatAnEarlierBuildsAgentsStoredIsCarriedOn() throws IOException {
    StoredCluster stored = StoredCluster.read(STORED);
    SimulatedCluster cluster = start(stored.at());
    cluster.load(stored.objects());
    String blocked = fixture.find("blocked").orElseThrow().getSpec().bindingNode();
    String held =
        fixture.cluster().client().nodes().list().getItems().stream()
            .map(node -> node.getMetadata().getName())
            .filter(name -> !name.equals(blocked))
            .findFirst()
            .orElseThrow();

    TestAgent _ = fixture.agent(held);
    TestAgent _ = fixture.agent(blocked);
    openBudget();

    fixture.awaitGone("blocked");
    assertThat(fixture.pods(blocked)).isEmpty();
    assertThat(fixture.last(blocked).outcome()).isEqualTo("Succeeded");
    fixture.event("back", LifecycleFixture.UNCORDON, held);
    fixture.awaitGone("back");
    assertThat(fixture.isCordoned(held)).isFalse();
    assertThat(fixture.history(held).entries()).hasSize(2);
  }
}
