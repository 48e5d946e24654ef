package dev.drydock.drain.request.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.Decision.Status;
import dev.drydock.drain.engine.decide.Eta;
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
    assertThat(known.then(blind, 1)).isEqualTo(known);
  }

  @Test
  void noPodsIsSaidOnlyByWhoSawTheDrainFromItsBeginning() {
    assertThat(DrainRequestReport.done(0, false).reason())
        .isEqualTo(DrainRequestReport.Reason.NoPods);
    assertThat(DrainRequestReport.done(0, true).reason())
        .isEqualTo(DrainRequestReport.Reason.DrainComplete);
    assertThat(DrainRequestReport.done(2, false).reason())
        .isEqualTo(DrainRequestReport.Reason.DrainComplete);
  }
}
