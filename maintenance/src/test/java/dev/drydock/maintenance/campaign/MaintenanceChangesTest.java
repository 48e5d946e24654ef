package dev.drydock.maintenance.campaign;

import static dev.drydock.maintenance.campaign.SnapshotBuilder.departure;
import static dev.drydock.maintenance.campaign.SnapshotBuilder.ended;
import static dev.drydock.maintenance.campaign.SnapshotBuilder.scheduled;
import static dev.drydock.maintenance.campaign.SnapshotBuilder.underWay;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.campaign.CompletedDeparture;
import dev.drydock.maintenance.decide.campaign.Departure;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MaintenanceChangesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T02:00:00Z");

  private final SnapshotBuilder seen = new SnapshotBuilder().withCampaign();

  private MaintenanceChanges changes() {
    return MaintenanceChanges.of(seen.build(), Set.of());
  }

  private static MaintenanceChanges confirmed(
      MaintenanceChanges changes, SnapshotBuilder ledgerNow) {
    return changes.confirmedBy(ledgerNow.ledger(), List.of(SnapshotBuilder.campaign()));
  }

  @Test
  void aDepartureWithoutAMaintenanceGetsOne() {
    seen.with(departure("a")).with(departure("b")).with(underWay("b"));
    seen.with(new Departure("c", "ops/single", "u-single", SnapshotBuilder.GRANTED));

    assertThat(changes().create()).containsExactly(departure("a"));
    assertThat(changes().dependOnLedger()).isTrue();
  }

  @Test
  void aMaintenanceOfTheSameNameInAnotherNamespaceIsNotTheDepartures() {
    seen.with(departure("a")).with(SnapshotBuilder.endedIn("tenant", "a"));

    assertThat(changes().create()).containsExactly(departure("a"));
  }

  @Test
  void onlyWhatTheLedgerStillSaysIsCreated() {
    seen.with(departure("a")).with(departure("b")).with(departure("c")).with(departure("d"));

    MaintenanceChanges confirmed =
        confirmed(
            changes(),
            new SnapshotBuilder()
                .with(departure("a"))
                .with(departure("b"))
                .withDone("b")
                .with(new Departure("c", "fw", "another-uid", SnapshotBuilder.GRANTED)));

    assertThat(confirmed.create()).containsExactly(departure("a"));
    assertThat(confirmed.outdated()).isTrue();
  }

  @Test
  void anEndedMaintenanceIsReleasedWhenItsEntryIsGone() {
    NotifyMaintenanceObject over = ended("a");
    seen.with(over).with(underWay("b"));

    MaintenanceChanges changes = changes();

    assertThat(changes.release()).containsExactly(over);
    assertThat(confirmed(changes, new SnapshotBuilder()).release()).containsExactly(over);
    assertThat(confirmed(changes, new SnapshotBuilder()).outdated()).isFalse();
    MaintenanceChanges early = confirmed(changes, new SnapshotBuilder().with(departure("a")));
    assertThat(early.release()).isEmpty();
    assertThat(early.outdated()).isTrue();
  }

  @Test
  void anEntryForAnotherDoesNotKeepAnEndedMaintenance() {
    NotifyMaintenanceObject over = ended("a");
    seen.with(over);

    MaintenanceChanges confirmed =
        confirmed(
            changes(),
            new SnapshotBuilder()
                .with(new Departure("a", "ops/single", "u-single", SnapshotBuilder.GRANTED)));

    assertThat(confirmed.release()).containsExactly(over);
  }

  @Test
  void anEndedMaintenanceStaysUntilItsNodeIsRecordedAsDone() {
    seen.with(ended("a"));

    MaintenanceChanges changes = MaintenanceChanges.of(seen.build(), Set.of("fw"));

    assertThat(changes.release()).isEmpty();
    assertThat(changes.dependOnLedger()).isFalse();
  }

  @Test
  void aSecondMaintenanceOfANodeThatIsDoneIsDeletedUnlessItHasBegun() {
    NotifyMaintenanceObject second = scheduled("a");
    seen.with(second).with(underWay("b")).with(scheduled("c")).withDone("a").withDone("b");

    assertThat(changes().delete()).containsExactly(second);
  }

  @Test
  void aNodeIsNewlyDoneOnce() {
    seen.with(departure("a")).with(ended("a")).with(ended("b")).with(underWay("c")).withDone("b");

    assertThat(seen.build().newlyDone(SnapshotBuilder.campaign(), NOW))
        .containsExactly(Map.entry("a", new CompletedDeparture(SnapshotBuilder.GRANTED, NOW)));
  }

  @Test
  void theLedgerHasWhatWasWrittenToIt() {
    DepartureLedger.LedgerContents after =
        seen.with(departure("a"))
            .with(departure("b"))
            .ledger()
            .after(List.of(departure("c")), List.of(departure("a")));

    assertThat(after.departures()).containsOnlyKeys("b", "c");
  }
}
