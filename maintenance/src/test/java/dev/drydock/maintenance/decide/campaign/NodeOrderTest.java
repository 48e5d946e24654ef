package dev.drydock.maintenance.decide.campaign;

import static dev.drydock.maintenance.decide.campaign.TestCampaignFacts.START;
import static dev.drydock.maintenance.decide.campaign.TestCampaignFacts.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.v1alpha1.CampaignOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NodeOrderTest {
  @Test
  void soonestTakesWhatCanLeaveSoonestAndThenByName() {
    assertThat(
            sorted(
                CampaignOrder.SOONEST,
                at(0),
                node("n-1", 60, START),
                node("n-10", 5, START),
                node("n-2", 5, START),
                node("n-3", 0, START)))
        .containsExactly("n-3", "n-2", "n-10", "n-1");
  }

  @Test
  void waitingMakesUpForATimeThatIsLonger() {
    Candidate old = node("old", 60, START);

    assertThat(sorted(CampaignOrder.SOONEST, at(100), old, node("new", 5, at(50))))
        .as("55 minutes longer, and has waited 50 longer")
        .containsExactly("new", "old");
    assertThat(sorted(CampaignOrder.SOONEST, at(100), old, node("new", 5, at(60))))
        .as("55 minutes longer, and has waited 60 longer")
        .containsExactly("old", "new");
  }

  @Test
  void nobodyIsOvertakenByWhoJoinedMoreThanADayLater() {
    Candidate endless = node("endless", 60 * 24 * 365, START);
    Candidate idle = node("idle", 0, at(60 * 24 + 1));

    assertThat(sorted(CampaignOrder.SOONEST, at(60 * 24 * 2), endless, idle))
        .containsExactly("endless", "idle");
  }

  @Test
  void zoneGoesByZoneAndThenBySoonest() {
    assertThat(
            sorted(
                CampaignOrder.ZONE,
                at(0),
                zoned("b1", "b", 1),
                zoned("a2", "a", 9),
                zoned("a1", "a", 30),
                node("x", 0, START)))
        .as("nodes without a zone are a zone of their own")
        .containsExactly("x", "a2", "a1", "b1");
  }

  @Test
  void whatCanNeverDrainComesLastHoweverLongItHasWaited() {
    Candidate never =
        new Candidate(
            fleetNode("stuck", Map.of(), START), Duration.ZERO, at(-9999), Optional.of("a budget"));

    assertThat(sorted(CampaignOrder.SOONEST, at(0), never, node("slow", 300, START)))
        .containsExactly("slow", "stuck");
  }

  @Test
  void nameGoesByNameAndAgeByAge() {
    Candidate young = new Candidate(fleetNode("n-2", Map.of(), at(0)), Duration.ZERO, START);
    Candidate old = new Candidate(fleetNode("n-10", Map.of(), at(-9)), Duration.ofDays(3), START);
    Candidate twin = new Candidate(fleetNode("n-9", Map.of(), at(-9)), Duration.ofDays(4), START);

    assertThat(sorted(CampaignOrder.NAME, at(0), twin, old, young))
        .containsExactly("n-2", "n-9", "n-10");
    assertThat(sorted(CampaignOrder.AGE, at(0), young, old, twin))
        .containsExactly("n-9", "n-10", "n-2");
  }

  @Test
  void theOrderDoesNotDependOnHowTheNodesCame() {
    Random random = new Random(7);
    List<Candidate> nodes = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      nodes.add(zoned("n-" + i, "z" + random.nextInt(3), random.nextInt(4)));
    }
    for (CampaignOrder order : CampaignOrder.values()) {
      List<Candidate> expected = NodeOrder.sorted(order, nodes, at(5));
      Collections.shuffle(nodes, random);
      assertThat(NodeOrder.sorted(order, nodes, at(5))).as("%s", order).isEqualTo(expected);
    }
  }

  private static List<String> sorted(CampaignOrder order, Instant now, Candidate... candidates) {
    return NodeOrder.sorted(order, List.of(candidates), now).stream()
        .map(candidate -> candidate.node().name())
        .toList();
  }

  private static Candidate node(String name, long minutes, Instant since) {
    return new Candidate(fleetNode(name, Map.of(), START), Duration.ofMinutes(minutes), since);
  }

  private static Candidate zoned(String name, String zone, long minutes) {
    return new Candidate(
        fleetNode(name, Map.of(TestCampaignFacts.ZONE, zone), START),
        Duration.ofMinutes(minutes),
        START);
  }

  private static FleetNode fleetNode(String name, Map<String, String> labels, Instant created) {
    return FleetNode.inService(name, labels, created);
  }
}
