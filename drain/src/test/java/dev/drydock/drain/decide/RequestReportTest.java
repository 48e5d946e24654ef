package dev.drydock.drain.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.decide.Decision.Status;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RequestReportTest {
  private static Decision decision(Status status, int gone, int left, Blocker... blockers) {
    return new Decision(
        status,
        List.of(),
        List.of(blockers),
        List.of(),
        new Decision.Progress(gone, left, 0, 0),
        Eta.UNKNOWN,
        Set.of(),
        Optional.empty());
  }

  private static Blocker blocker(BlockReason reason) {
    return new Blocker(reason, List.of(), List.of(), "a test");
  }

  @Test
  void beforeAnythingWasSeenNobodySaysHowManyPodsAreLeft() {
    assertThat(RequestReport.begun(4).left()).isEmpty();
    assertThat(RequestReport.begun(4).gone()).isEqualTo(4);
  }

  @Test
  void whatWasKnownStandsWhileItCannotSee() {
    RequestReport known = RequestReport.begun(1).then(decision(Status.DRAINING, 2, 3), 1);
    assertThat(known.gone()).isEqualTo(3);
    assertThat(known.left()).hasValue(3);

    Decision blind = decision(Status.BLOCKED, 0, 0, blocker(BlockReason.NOT_OBSERVED));
    assertThat(known.then(blind, 1)).isEqualTo(known);
  }

  @Test
  void noPodsIsSaidOnlyByWhoSawTheDrainFromItsBeginning() {
    assertThat(RequestReport.done(0, false).reason()).isEqualTo(RequestReport.Reason.NoPods);
    assertThat(RequestReport.done(0, true).reason()).isEqualTo(RequestReport.Reason.DrainComplete);
    assertThat(RequestReport.done(2, false).reason()).isEqualTo(RequestReport.Reason.DrainComplete);
  }
}
