package dev.drydock.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.SimulatedCluster.Settings;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.kubelet.Knob;
import dev.drydock.sim.kubelet.NodeTemplate;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {
  private final SteppedCluster cluster = new SteppedCluster(Settings.defaults().withHeartbeats());

  HeartbeatsTest() {
    cluster.cluster.addNodes(2, "node-", NodeTemplate.DEFAULT);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private @Nullable ObjectNode lease() {
    return cluster.cluster.find("Lease", "kube-node-lease", "node-1");
  }

  private Instant renewed() {
    return Instant.parse(JsonTrees.text(Objects.requireNonNull(lease()), "spec", "renewTime"));
  }

  private Instant reported() {
    for (JsonNode condition : JsonTrees.at(cluster.get("Node", "node-1"), "status", "conditions")) {
      if (JsonTrees.text(condition, "type").equals("Ready")) {
        return Instant.parse(JsonTrees.text(condition, "lastHeartbeatTime"));
      }
    }
    throw new AssertionError("no condition Ready");
  }

  @Test
  void aNodeHasALeaseOfItsOwnFromTheBeginning() {
    ObjectNode lease = Objects.requireNonNull(lease());

    assertThat(JsonTrees.text(lease, "spec", "holderIdentity")).isEqualTo("node-1");
    assertThat(JsonTrees.at(lease, "spec", "leaseDurationSeconds").asInt()).isEqualTo(40);
    assertThat(JsonTrees.text(lease.at("/metadata/ownerReferences/0"), "uid"))
        .isEqualTo(cluster.text("Node", "node-1", "metadata", "uid"));
    assertThat(renewed()).isEqualTo(SteppedCluster.START);
  }

  @Test
  void itIsRenewedEveryTenSecondsAndTheStatusEveryFiveMinutes() {
    cluster.advance("1H");

    assertThat(Duration.between(renewed(), cluster.cluster.now())).isLessThan(seconds(10));
    assertThat(Duration.between(reported(), cluster.cluster.now())).isLessThan(seconds(310));
    assertThat(reported()).isAfter(SteppedCluster.START);
  }

  private static Duration seconds(int count) {
    return Duration.ofSeconds(count);
  }

  @Test
  void aSilentNodeRenewsNothingUntilItSpeaksAgain() {
    cluster.advance("1M");
    Instant last = renewed();
    cluster.setKnob("Node", "node-1", Knob.SILENT, "'true'");
    cluster.advance("10M");
    assertThat(renewed()).isEqualTo(last);

    cluster.setKnob("Node", "node-1", Knob.SILENT, "null");
    cluster.advance("10S");

    assertThat(renewed()).isAfter(last);
  }

  @Test
  void theLeaseGoesWithTheNode() {
    cluster.delete("Node", "node-1");
    cluster.advance("1M");

    assertThat(lease()).isNull();
    assertThat(cluster.cluster.find("Lease", "kube-node-lease", "node-2")).isNotNull();
  }

  @Test
  void whoDoesNotAskForThemHasNoLeases() {
    try (SteppedCluster plain = SteppedCluster.withNodes(1)) {
      plain.advance("1H");

      assertThat(plain.cluster.find("Lease", "kube-node-lease", "node-1")).isNull();
      assertThat(plain.cluster.nextTimer()).isNull();
    }
  }
}
