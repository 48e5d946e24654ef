package dev.drydock.drain.request.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.nvsentinel.DrainRequestStatus;
import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.Decision.Status;
import dev.drydock.drain.engine.decide.Eta;
import dev.drydock.drain.engine.decide.PodRef;
import dev.drydock.drain.request.decide.DrainRequestReport.Reason;
import dev.drydock.drain.request.decide.DrainRequestReport.ReportedCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DrainRequestReportTest {
  private static Decision decision(Status status, int gone, int left, Blocker... blockers) {
    return new Decision(
        status,
        List.of(),
        List.of(blockers),
        List.of(),
        progress(gone, left),
        Eta.UNKNOWN,
        Set.of(),
        Optional.empty());
  }

  private static Decision.Progress progress(int gone, int left) {
    return new Decision.Progress(gone, left, 0, 0);
  }

  private static Blocker blocker(BlockReason reason) {
    return new Blocker(reason, List.of(), List.of(), "a test");
  }

  @Test
  void beforeAnythingWasSeenNobodySaysHowManyPodsAreLeft() {
    assertThat(DrainRequestReport.begun(PodCount.NONE).left()).isEmpty();
    assertThat(DrainRequestReport.begun(PodCount.NONE).gone()).isZero();
  }

  @Test
  void whoTakesOverRepeatsWhatWasWrittenUntilItHasLooked() {
    DrainRequestReport takenOver = DrainRequestReport.begun(new PodCount(1, OptionalInt.of(3)));

    assertThat(takenOver.gone()).isEqualTo(1);
    assertThat(takenOver.left()).hasValue(3);
  }

  @Test
  void podsThatWentWhileNobodyLookedAreGone() {
    PodCount written = new PodCount(1, OptionalInt.of(3));

    assertThat(written.seen(progress(0, 1)).gone()).isEqualTo(3);
    assertThat(written.seen(progress(0, 3)).gone()).isEqualTo(1);
    assertThat(written.seen(progress(0, 5)).gone()).as("others landed").isEqualTo(1);
    assertThat(written.seen(progress(0, 1)).seen(progress(1, 0)).gone())
        .as("only the first look tells")
        .isEqualTo(3);
    assertThat(new PodCount(2, OptionalInt.empty()).seen(progress(0, 1)).gone())
        .as("nobody had counted")
        .isEqualTo(2);
  }

  @Test
  void whatWasKnownStandsWhileItCannotSee() {
    DrainRequestReport known =
        DrainRequestReport.begun(PodCount.NONE).then(decision(Status.DRAINING, 2, 3), 1);
    assertThat(known.gone()).isEqualTo(3);
    assertThat(known.left()).hasValue(3);

    Decision blind = decision(Status.BLOCKED, 0, 0, blocker(BlockReason.NOT_OBSERVED));
    DrainRequestReport unseen = known.then(blind, 1);
    assertThat(unseen.gone()).isEqualTo(known.gone());
    assertThat(unseen.left()).isEqualTo(known.left());
    assertThat(unseen.reason()).isEqualTo(Reason.Blocked);
    assertThat(unseen.blockers())
        .singleElement()
        .satisfies(why -> assertThat(why.reason()).isEqualTo("NotObserved"));
  }

  @Test
  void whatIsReportedIsBoundedWhateverPodsAndBudgetsAreCalled() {
    List<PodRef> pods = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      pods.add(new PodRef("team-a", "p".repeat(240) + i, "u" + i));
    }
    Blocker[] blockers = new Blocker[500];
    for (int i = 0; i < blockers.length; i++) {
      String what = "w".repeat(5_000) + i;
      blockers[i] = new Blocker(BlockReason.FINALIZER, pods, List.of(), what, "n".repeat(5_000));
    }

    DrainRequestReport report =
        DrainRequestReport.begun(PodCount.NONE).then(decision(Status.BLOCKED, 0, 9, blockers), 0);

    assertThat(report.blockers()).hasSizeLessThanOrEqualTo(21);
    assertThat(report.blockers().toString()).hasSizeLessThan(20_000);
    assertThat(report.blockers().getFirst().message()).contains(" more pods)");
    assertThat(report.blockers().getLast().message()).matches("and \\d+ more");
    assertThat(report.ended(Reason.DrainFailed, "m".repeat(9_000)).message()).hasSize(1_000);
  }

  @Test
  void aFewBlockersAreReportedAsTheyAre() {
    List<PodRef> pods = List.of(new PodRef("team-a", "web-1", "u"));
    Blocker blocker = new Blocker(BlockReason.FINALIZER, pods, List.of(), "what", "next");

    assertThat(
            DrainRequestReport.begun(PodCount.NONE)
                .then(decision(Status.BLOCKED, 0, 1, blocker), 0)
                .blockers())
        .containsExactly(
            new DrainRequestStatus.Blocker("Finalizer", "what", "next", List.of("team-a/web-1")));
  }

  @Test
  void everyReasonSetsTheConditionsOfAllClients() {
    for (Reason reason : Reason.values()) {
      boolean complete = Set.of(Reason.DrainComplete, Reason.NoPods).contains(reason);
      boolean failed =
          Set.of(
                  Reason.DrainFailed,
                  Reason.DrainCancelled,
                  Reason.NodeNotFound,
                  Reason.InvalidRequest)
              .contains(reason);

      assertThat(DrainRequestReport.of(reason, "why").conditions())
          .containsExactly(
              new ReportedCondition("DrainComplete", complete),
              new ReportedCondition("Complete", complete),
              new ReportedCondition("Failed", failed));
    }
  }

  @Test
  void noPodsIsSaidOnlyByWhoSawTheDrainFromItsBeginning() {
    assertThat(DrainRequestReport.done(0, false).reason()).isEqualTo(Reason.NoPods);
    assertThat(DrainRequestReport.done(0, true).reason()).isEqualTo(Reason.DrainComplete);
    assertThat(DrainRequestReport.done(2, false).reason()).isEqualTo(Reason.DrainComplete);
  }
}
