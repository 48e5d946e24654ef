package dev.drydock.maintenance.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.v1alpha1.CampaignOrder;
import dev.drydock.contracts.v1alpha1.DomainBudget;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.maintenance.decide.campaign.CampaignFacts;
import dev.drydock.maintenance.decide.campaign.CampaignState;
import dev.drydock.maintenance.decide.campaign.FleetNode;
import dev.drydock.maintenance.decide.campaign.FleetNodes;
import dev.drydock.maintenance.decide.campaign.RunHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CampaignEndsTest {
  private static final Instant START = Instant.parse("2026-03-04T10:00:00Z");
  private static final Map<String, Duration> WORK = Map.of("c", Duration.ofMinutes(10));

  private final CampaignEnds ends = new CampaignEnds();

  private static CampaignFacts facts(int nodes) {
    List<FleetNode> fleet = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      fleet.add(FleetNode.inService("n-" + i, Map.of(), START));
    }
    return new CampaignFacts(
        FleetNodes.of(fleet, List.of()),
        List.of(
            new CampaignState(
                "c", "c", START, spec(), Optional.of(anyClass()), Optional.empty(), Map.of())),
        Map.of(),
        RunHistory.NONE,
        List.of(),
        Optional.empty());
  }

  /** All nodes, one at a time. */
  private static MaintenanceCampaignSpec spec() {
    return new MaintenanceCampaignSpec(
        new MaintenanceCampaignSpec.NodeSelector(Map.of(), null),
        "any",
        null,
        null,
        List.of(new DomainBudget(null, "1")),
        List.of(),
        List.of(),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        CampaignOrder.NAME,
        null);
  }

  private static MaintenanceClassSpec anyClass() {
    MaintenanceClassSpec.Outside outside = new MaintenanceClassSpec.Outside();
    return new MaintenanceClassSpec(
        new MaintenanceClassSpec.Drain(null, null, null, null, outside),
        new MaintenanceClassSpec.Work(null, outside),
        new MaintenanceClassSpec.Validation(null, null, null, null, outside),
        null,
        null,
        List.of());
  }

  @Test
  void aForecastIsMadeAgainOnlyIfWhatItDependsOnHasChanged() {
    ends.update(facts(3), WORK, START);
    assertThat(ends.of("c")).contains(START.plus(Duration.ofMinutes(30)));

    ends.update(facts(3), WORK, START.plusSeconds(100));
    assertThat(ends.of("c")).as("nothing has changed").contains(START.plus(Duration.ofMinutes(30)));
    assertThat(ends.due()).isEmpty();

    ends.update(facts(4), WORK, START.plusSeconds(100));
    assertThat(ends.of("c")).contains(START.plusSeconds(100).plus(Duration.ofMinutes(40)));
  }

  @Test
  void aForecastThatHasPassedIsMadeAgain() {
    ends.update(facts(1), WORK, START);
    Instant later = START.plus(Duration.ofMinutes(10));

    ends.update(facts(1), WORK, later);

    assertThat(ends.of("c")).contains(later.plus(Duration.ofMinutes(10)));
  }

  /** So many nodes one after the other: a second passes before the next forecast. */
  @Test
  void anExpensiveForecastIsPutOff() {
    ends.update(facts(150), WORK, START);
    Optional<Instant> first = ends.of("c");
    assertThat(first).isPresent();

    ends.update(facts(151), WORK, START.plusMillis(10));
    assertThat(ends.of("c")).as("the one before").isEqualTo(first);
    Instant due = ends.due().orElseThrow();
    assertThat(due).isBetween(START.plusMillis(900), START.plusSeconds(10));

    ends.update(facts(151), WORK, due);
    assertThat(ends.of("c")).isNotEqualTo(first);
    assertThat(ends.due()).isEmpty();
  }
}
