package dev.drydock.maintenance.decide.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.v1alpha1.DomainBudget;
import dev.drydock.maintenance.decide.campaign.SingleDepartures.Request;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SingleDeparturesTest {
  private static final List<BudgetLevel> ONE =
      BudgetLevel.of(List.of(new DomainBudget(TestCampaignFacts.ZONE, "1")));

  private static Request request(String name, String node, long minute, List<BudgetLevel> levels) {
    return new Request("ops/" + name, name, node, TestCampaignFacts.at(minute), levels);
  }

  private static SingleDepartures decide(
      TestCampaignFacts fleet, List<BudgetLevel> everyones, Request... requests) {
    return SingleDepartures.decide(
        fleet.facts().fleet(), List.of(requests), everyones, TestCampaignFacts.START);
  }

  private static List<String> granted(SingleDepartures decided) {
    return decided.granted().stream().map(Departure::by).toList();
  }

  @Test
  void withoutBudgetsAllLeave() {
    TestCampaignFacts fleet = TestCampaignFacts.of(2);

    assertThat(
            granted(
                decide(
                    fleet,
                    List.of(),
                    request("a", "n-1", 1, List.of()),
                    request("b", "n-2", 0, List.of()))))
        .containsExactly("ops/b", "ops/a");
  }

  @Test
  void theOldestLeavesAndTheOtherIsToldWhy() {
    TestCampaignFacts fleet = new TestCampaignFacts().zoned("a", "a1", "a2").zoned("b", "b1");

    SingleDepartures decided =
        decide(
            fleet,
            List.of(),
            request("young", "a1", 2, ONE),
            request("old", "a2", 1, ONE),
            request("elsewhere", "b1", 3, ONE));

    assertThat(granted(decided)).containsExactly("ops/old", "ops/elsewhere");
    assertThat(decided.refused())
        .containsOnlyKeys("ops/young")
        .extractingByKey("ops/young")
        .asString()
        .contains("1 of at most 1 out", "a2: leaving for NotifyMaintenance ops/old");
  }

  @Test
  void theOperatorsBudgetsHoldWhateverTheClassSays() {
    TestCampaignFacts fleet = new TestCampaignFacts().zoned("a", "a1", "a2").cordoned("a1");

    assertThat(granted(decide(fleet, ONE, request("m", "a2", 0, List.of())))).isEmpty();
    assertThat(granted(decide(fleet, ONE, request("m", "a1", 0, List.of()))))
        .as("a node that is out already takes no room")
        .containsExactly("ops/m");
  }

  @Test
  void aNodeThatDoesNotExistTakesNoRoomAndIsNotWrittenDown() {
    TestCampaignFacts fleet = TestCampaignFacts.of(1);

    SingleDepartures decided =
        decide(fleet, ONE, request("m", "no/such node", 0, ONE), request("other", "n-1", 1, ONE));

    assertThat(granted(decided)).containsExactly("ops/other");
    assertThat(decided.refused())
        .containsExactly(Map.entry("ops/m", "node no/such node, which does not exist"));
  }
}
