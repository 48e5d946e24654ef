package dev.drydock.health.decide;

import static dev.drydock.health.decide.TestEvents.NOW;
import static dev.drydock.health.decide.TestEvents.healthy;
import static dev.drydock.health.decide.TestEvents.unhealthy;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QuarantineReplayTest {
  private static QuarantineReplay replay(int maxNodes) {
    RuleActions cordon = new RuleActions("fatal", 0, 0, true, Optional.empty(), Optional.empty());
    BreakerLimits limits =
        new BreakerLimits(true, 0, maxNodes, Duration.ofMinutes(5), 1, List.of(), 0, 0, 100);
    return new QuarantineReplay(
        new NodeEdits(Map.of("fatal", cordon), "x/", Strikes.Limit.OFF),
        limits,
        new Breaker.Fleet(10, Map.of()),
        event -> event.isFatal() ? List.of("fatal") : List.of(),
        _ -> Map.of());
  }

  @Test
  void itCountsNodesAndMinutes() {
    QuarantineReplay replay = replay(10);
    replay.see(unhealthy("1").nodeName("a").build(), NOW);
    replay.see(unhealthy("2").nodeName("b").isFatal(false).build(), NOW);
    replay.see(healthy("3").nodeName("a").build(), NOW.plusSeconds(600));
    replay.see(unhealthy("4").nodeName("c").build(), NOW.plusSeconds(600));
    replay.see(healthy("5").nodeName("d").build(), NOW.plusSeconds(900));

    QuarantineReplay.Report report = replay.report();

    assertThat(report.events()).isEqualTo(5);
    assertThat(report.quarantines()).isEqualTo(2);
    assertThat(report.recoveries()).isEqualTo(1);
    assertThat(report.nodes()).containsExactly("a", "c");
    assertThat(report.stillCordoned()).containsExactly("c");
    assertThat(report.nodeMinutes()).isEqualTo(15.0);
    assertThat(report.trips()).isEmpty();
    assertThat(report.byRule()).containsEntry("fatal", 2);
  }

  @Test
  void aBreakerThatWouldHaveTrippedIsSeen() {
    QuarantineReplay replay = replay(2);
    for (int i = 0; i < 5; i++) {
      replay.see(unhealthy("" + i).nodeName("node-" + i).build(), NOW.plusSeconds(i));
    }

    QuarantineReplay.Report report = replay.report();

    assertThat(report.nodes()).containsExactly("node-0", "node-1");
    assertThat(report.blocked()).isEqualTo(3);
    assertThat(report.trips())
        .containsExactly(new QuarantineReplay.Trip(NOW.plusSeconds(2), "fleet", 2, 2));
  }
}
