package dev.drydock.maintenance.campaign;

import static dev.drydock.maintenance.campaign.SnapshotBuilder.departure;
import static dev.drydock.maintenance.campaign.SnapshotBuilder.scheduled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.campaign.Departure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DepartureAnswersTest {
  private static final List<MaintenanceCampaignObject> CAMPAIGNS =
      List.of(SnapshotBuilder.campaign());

  private final NotifyMaintenanceObject maintenance = scheduled("a");

  @Test
  void theMaintenanceOfADepartureMayGo() {
    DepartureAnswers answers = new DepartureAnswers(Map.of("a", departure("a")), Map.of());

    assertThat(answers.leave(maintenance, CAMPAIGNS)).isEmpty();
  }

  @Test
  void anotherMaintenanceOfThatNodeWaitsForItsTurn() {
    Departure other = new Departure("a", "ops/other", "u-other", SnapshotBuilder.GRANTED);
    DepartureAnswers answers = new DepartureAnswers(Map.of("a", other), Map.of());

    assertThat(answers.leave(maintenance, CAMPAIGNS))
        .contains("its turn on node a: it is leaving for NotifyMaintenance ops/other");
  }

  @Test
  void aRefusedMaintenanceKnowsWhyAndAnUndecidedOneWaits() {
    String by = maintenance.facts().identity().toString();

    assertThat(
            new DepartureAnswers(Map.of(), Map.of(by, "room in a budget"))
                .leave(maintenance, CAMPAIGNS))
        .contains("room in a budget");
    assertThat(DepartureAnswers.UNDECIDED.leave(maintenance, CAMPAIGNS)).contains("");
  }

  @Test
  void nodesWithAnotherAnswerAreReconciledAgain() {
    String by = maintenance.facts().identity().toString();
    DepartureAnswers before =
        new DepartureAnswers(Map.of("b", departure("b")), Map.of(by, "room in a budget"));
    DepartureAnswers after =
        new DepartureAnswers(
            Map.of("b", departure("b"), "c", departure("c")), Map.of(by, "another budget"));

    assertThat(after.changedSince(before, List.of(maintenance)))
        .containsExactlyInAnyOrder("a", "c");
    assertThat(after.changedSince(after, List.of(maintenance))).isEmpty();
  }
}
