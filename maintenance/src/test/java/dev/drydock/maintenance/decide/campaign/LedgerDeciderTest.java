package dev.drydock.maintenance.decide.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.ngn2.NotifyMaintenanceSpec;
import dev.drydock.contracts.v1alpha1.DomainBudget;
import dev.drydock.maintenance.decide.AdvisoryConditions;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LedgerDeciderTest {
  private static final Instant CREATED = TestCampaignFacts.START;
  private static final Instant GRANTED = CREATED.plusSeconds(60);
  private static final Instant NOW = CREATED.plusSeconds(600);
  private static final boolean[] EITHER = {false, true};
  private static final Departure OF_CAMPAIGN = new Departure("n", "fw", "u-fw", GRANTED);
  private static final Departure SINGLE = new Departure("n", "ops/m", "u-m", GRANTED);

  private static MaintenanceFacts in(MaintenanceState state, boolean deleted, boolean finalizer) {
    return facts("m", "class", state, deleted, finalizer, Map.of());
  }

  private static MaintenanceFacts facts(
      String name,
      @Nullable String maintenanceClass,
      MaintenanceState state,
      boolean deleted,
      boolean finalizer,
      Map<String, String> conditions) {
    return new MaintenanceFacts(
        new MaintenanceFacts.Identity("ops", name, "u-" + name, CREATED),
        new NotifyMaintenanceSpec("n", "fw", "planned", null, null, null, maintenanceClass),
        deleted,
        finalizer,
        true,
        Map.of(),
        state,
        Optional.empty(),
        conditions);
  }

  private static MaintenanceFacts scheduled(@Nullable String maintenanceClass) {
    return facts("m", maintenanceClass, MaintenanceState.SCHEDULED, false, true, Map.of());
  }

  /** In every state, deleted or not, with the finalizer or not, completed or not, proved or not. */
  private static List<MaintenanceFacts> everyMaintenance() {
    List<MaintenanceFacts> all = new ArrayList<>();
    for (MaintenanceState state : MaintenanceState.values()) {
      for (int bits = 0; bits < 16; bits++) {
        Map<String, String> conditions = new HashMap<>();
        if ((bits & 1) != 0) {
          conditions.put(AdvisoryConditions.COMPLETED, "True");
        }
        if ((bits & 2) != 0) {
          conditions.put(MaintenanceNames.VALIDATION_CONDITION, MaintenanceNames.VALIDATED);
        }
        all.add(facts("m", "class", state, (bits & 4) != 0, (bits & 8) != 0, conditions));
      }
    }
    return all;
  }

  /** By the letter of its promise: the node is back, or was never out. */
  private static boolean hasEnded(MaintenanceFacts each) {
    boolean back = each.conditions().containsKey(AdvisoryConditions.COMPLETED);
    return !each.finalizer() && (each.state().hasBegun() ? back : each.deleted());
  }

  private static LedgerMaintenance alone(MaintenanceFacts facts) {
    return new LedgerMaintenance(facts, Optional.empty(), false, Optional.empty());
  }

  private static LedgerEntry entry(Departure departure, Optional<String> namespace) {
    return new LedgerEntry(departure, "m", namespace);
  }

  private static List<Departure> over(
      boolean known,
      LedgerEntry entry,
      boolean done,
      Set<String> unreadable,
      MaintenanceFacts... seen) {
    return new LedgerDecider(
            known,
            List.of(entry),
            done ? Set.of(entry.departure()) : Set.of(),
            List.of(seen).stream().map(LedgerDeciderTest::alone).toList(),
            Map.of(),
            unreadable)
        .over();
  }

  @Test
  void anEntryIsOverWhenItsMaintenanceHasEnded() {
    for (MaintenanceFacts seen : everyMaintenance()) {
      for (boolean known : EITHER) {
        for (boolean done : EITHER) {
          assertThat(over(known, entry(SINGLE, Optional.empty()), done, Set.of(), seen))
              .as("%s", seen)
              .isEqualTo(hasEnded(seen) ? List.of(SINGLE) : List.of());
          assertThat(over(known, entry(OF_CAMPAIGN, Optional.of("ops")), done, Set.of(), seen))
              .as("known %s: %s", known, seen)
              .isEqualTo(known && hasEnded(seen) ? List.of(OF_CAMPAIGN) : List.of());
        }
      }
    }
  }

  @Test
  void withoutItsMaintenanceAnEntryStaysOnlyIfTheCampaignWillMakeIt() {
    for (boolean known : EITHER) {
      for (boolean done : EITHER) {
        assertThat(over(known, entry(SINGLE, Optional.empty()), done, Set.of()))
            .containsExactly(SINGLE);
        assertThat(over(known, entry(OF_CAMPAIGN, Optional.empty()), done, Set.of()))
            .as("its campaign is gone")
            .isEqualTo(known ? List.of(OF_CAMPAIGN) : List.of());
        assertThat(over(known, entry(OF_CAMPAIGN, Optional.of("ops")), done, Set.of()))
            .isEqualTo(known && done ? List.of(OF_CAMPAIGN) : List.of());
      }
    }
  }

  @Test
  void anEntryStaysWhileItsCampaignOrMaintenanceCannotBeRead() {
    LedgerEntry there = entry(OF_CAMPAIGN, Optional.of("ops"));
    LedgerEntry gone = entry(OF_CAMPAIGN, Optional.empty());

    assertThat(over(true, entry(SINGLE, Optional.empty()), true, Set.of("ops/m"))).isEmpty();
    assertThat(over(true, entry(SINGLE, Optional.empty()), true, Set.of("x/m"))).isNotEmpty();
    for (LedgerEntry each : List.of(there, gone)) {
      assertThat(over(true, each, true, Set.of("fw"))).isEmpty();
      assertThat(over(true, each, true, Set.of("ops/m"))).isEmpty();
      assertThat(over(true, each, true, Set.of("ops/other"))).isNotEmpty();
    }
    assertThat(over(true, there, true, Set.of("x/m"))).isNotEmpty();
    assertThat(over(true, gone, true, Set.of("x/m"))).as("it may be there").isEmpty();
  }

  @Test
  void anEntryIsForOneMaintenanceOnly() {
    MaintenanceFacts m = in(MaintenanceState.STARTED, false, true);
    MaintenanceFacts other =
        facts("other", "class", MaintenanceState.STARTED, false, true, Map.of());
    Departure elsewhere = new Departure("n2", "fw", "u-fw", GRANTED);

    assertThat(entry(SINGLE, Optional.empty()).isFor(m)).isTrue();
    assertThat(entry(SINGLE, Optional.empty()).isFor(other)).isFalse();
    assertThat(entry(OF_CAMPAIGN, Optional.of("ops")).isFor(m)).isTrue();
    assertThat(entry(OF_CAMPAIGN, Optional.of("ops")).isFor(other)).isFalse();
    assertThat(entry(OF_CAMPAIGN, Optional.of("tenant")).isFor(m)).isFalse();
    assertThat(entry(OF_CAMPAIGN, Optional.empty()).isFor(m)).isTrue();
    assertThat(entry(elsewhere, Optional.of("ops")).isFor(m)).isFalse();
  }

  private static List<SingleDepartures.Request> requests(
      boolean known, LedgerMaintenance seen, Set<String> unreadable, LedgerEntry... entries) {
    return new LedgerDecider(
            known,
            List.of(entries),
            Set.of(),
            List.of(seen),
            Map.of("class", TestSpec.anyClass()),
            unreadable)
        .requests();
  }

  @Test
  void onlyAScheduledMaintenanceWithAClassAsks() {
    for (MaintenanceFacts seen : everyMaintenance()) {
      boolean asks = seen.state() == MaintenanceState.SCHEDULED && !seen.deleted();
      assertThat(requests(true, alone(seen), Set.of())).as("%s", seen).hasSize(asks ? 1 : 0);
      assertThat(requests(true, alone(seen), Set.of(), entry(OF_CAMPAIGN, Optional.empty())))
          .as("its node leaves already")
          .isEmpty();
    }
    assertThat(requests(true, alone(scheduled(null)), Set.of())).isEmpty();
    assertThat(requests(true, alone(scheduled("null")), Set.of())).isEmpty();
  }

  @Test
  void whatACampaignMadeAsksOnlyIfItIsKnownThatItsNodeIsNotDone() {
    for (int bits = 0; bits < 128; bits++) {
      boolean known = (bits & 1) != 0;
      boolean labelled = (bits & 2) != 0;
      boolean finalizer = (bits & 4) != 0;
      boolean there = (bits & 8) != 0;
      boolean lost = (bits & 16) != 0;
      boolean done = (bits & 32) != 0;
      boolean unreadable = (bits & 64) != 0;
      LedgerMaintenance seen =
          new LedgerMaintenance(
              scheduled("class"),
              labelled ? Optional.of("fw") : Optional.empty(),
              finalizer,
              there
                  ? Optional.of(new LedgerMaintenance.Campaign(null, lost, done))
                  : Optional.empty());

      boolean doubtful =
          (!known && (labelled || finalizer))
              || (there && (lost || done))
              || (labelled && unreadable);
      assertThat(requests(known, seen, unreadable ? Set.of("fw") : Set.of()))
          .as("%s, known %s, unreadable %s", seen, known, unreadable)
          .hasSize(doubtful ? 0 : 1);
    }
  }

  @Test
  void whatACampaignMadeKeepsTheCampaignsBudgets() {
    List<DomainBudget> two = List.of(new DomainBudget("rack", "2"));
    LedgerMaintenance own =
        new LedgerMaintenance(
            scheduled("class"),
            Optional.of("fw"),
            true,
            Optional.of(new LedgerMaintenance.Campaign(two, false, false)));
    LedgerMaintenance without =
        new LedgerMaintenance(
            scheduled("class"),
            Optional.of("fw"),
            true,
            Optional.of(new LedgerMaintenance.Campaign(null, false, false)));

    assertThat(requests(true, own, Set.of()).getFirst().budgets()).isEqualTo(BudgetLevel.of(two));
    assertThat(requests(true, without, Set.of()).getFirst().budgets())
        .containsExactly(BudgetLevel.DEFAULT);
    assertThat(requests(true, alone(scheduled("class")), Set.of()))
        .containsExactly(new SingleDepartures.Request("ops/m", "u-m", "n", CREATED, List.of()));
  }

  @Test
  void aNodeIsNewlyDoneIfItsMaintenanceHasEndedAndProvedIt() {
    for (MaintenanceFacts seen : everyMaintenance()) {
      boolean proved = seen.conditions().containsKey(MaintenanceNames.VALIDATION_CONDITION);
      for (boolean recorded : EITHER) {
        Map<String, CompletedDeparture> done =
            LedgerDecider.newlyDone(
                List.of(seen), recorded ? Set.of("n") : Set.of(), Map.of("n", OF_CAMPAIGN), NOW);

        assertThat(done)
            .as("recorded %s: %s", recorded, seen)
            .isEqualTo(
                hasEnded(seen) && proved && !recorded
                    ? Map.of("n", new CompletedDeparture(GRANTED, NOW))
                    : Map.of());
      }
    }
  }

  @Test
  void theProgressOfANodeIsThatOfItsMaintenance() {
    for (MaintenanceFacts seen : everyMaintenance()) {
      Optional<NodeProgress> progress =
          NodeProgress.of(seen, GRANTED, NOW, "a client", "the disk failed");

      boolean ended = hasEnded(seen);
      if (ended && seen.isProved()) {
        assertThat(progress).contains(NodeProgress.done(GRANTED, NOW));
      } else if (ended && seen.deleted()) {
        assertThat(progress).as("cancelled: %s", seen).isEmpty();
      } else if (ended) {
        assertThat(progress)
            .contains(
                NodeProgress.failed(GRANTED, NOW, "it was uncordoned before it was validated"));
      } else if (seen.state() == MaintenanceState.INCOMPLETE) {
        assertThat(progress).contains(NodeProgress.failed(GRANTED, NOW, "the disk failed"));
      } else {
        assertThat(progress.orElseThrow().state()).isEqualTo(NodeProgress.State.IN_FLIGHT);
        assertThat(progress.orElseThrow().message())
            .isEqualTo(seen.state().text() + ", waits for a client");
      }
    }
    assertThat(
            NodeProgress.of(in(MaintenanceState.STARTED, false, true), GRANTED, NOW, "", "")
                .map(NodeProgress::message))
        .contains("MaintenanceStarted");
  }

  @Test
  void aNodeTakesAsLongAsThoseThatAreDone() {
    CompletedDeparture ten = new CompletedDeparture(CREATED, CREATED.plusSeconds(600));
    CompletedDeparture twenty = new CompletedDeparture(CREATED, CREATED.plusSeconds(1200));

    assertThat(CompletedDeparture.averageTime(List.of(ten, twenty)))
        .isEqualTo(Duration.ofMinutes(15));
    assertThat(CompletedDeparture.averageTime(List.of(ten))).isEqualTo(Duration.ofMinutes(10));
    assertThat(CompletedDeparture.averageTime(List.of()))
        .isEqualTo(CompletedDeparture.DEFAULT_TIME);
    assertThat(LedgerDecider.leftAt(scheduled("class"), Map.of("n", OF_CAMPAIGN, "other", SINGLE)))
        .isEqualTo(GRANTED);
    assertThat(LedgerDecider.leftAt(scheduled("class"), Map.of())).isEqualTo(CREATED);
  }
}
