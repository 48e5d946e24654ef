package dev.drydock.drain.request.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.engine.decide.DrainOutcome.End;
import dev.drydock.drain.request.decide.DrainRequestEnd.NodeLeft;
import dev.drydock.drain.request.decide.DrainRequestReport.Reason;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class DrainRequestEndTest {
  private static final DrainRequestReport LAST =
      DrainRequestReport.begun(new PodCount(2, OptionalInt.of(3)));

  private static DrainOutcome outcome(End end) {
    return new DrainOutcome("node-1", end, "why", Optional.empty(), Duration.ZERO);
  }

  private static Optional<Reason> reason(End end, boolean continued, NodeLeft node) {
    return DrainRequestEnd.report(outcome(end), LAST, continued, node)
        .map(DrainRequestReport::reason);
  }

  @Test
  void everyEndButFailureSpeaksForItself() {
    for (boolean continued : new boolean[] {false, true}) {
      for (NodeLeft node : NodeLeft.values()) {
        assertThat(reason(End.DONE, continued, node)).contains(Reason.DrainComplete);
        assertThat(reason(End.CANCELLED, continued, node)).contains(Reason.DrainCancelled);
        assertThat(reason(End.REFUSED, continued, node)).contains(Reason.DrainFailed);
      }
    }
    for (End end : End.values()) {
      assertThat(DrainRequestEnd.dependsOnNode(outcome(end))).isEqualTo(end == End.FAILED);
    }
  }

  @Test
  void aNodeThatWasNeverThereIsAMistakeAndOneThatWentAwayIsEmpty() {
    assertThat(reason(End.FAILED, false, NodeLeft.THERE)).contains(Reason.DrainFailed);
    assertThat(reason(End.FAILED, true, NodeLeft.THERE)).contains(Reason.DrainFailed);
    assertThat(reason(End.FAILED, false, NodeLeft.NOTHING)).contains(Reason.NodeNotFound);
    assertThat(reason(End.FAILED, false, NodeLeft.ITS_PODS)).contains(Reason.NodeNotFound);
    assertThat(reason(End.FAILED, true, NodeLeft.ITS_PODS)).isEmpty();
    assertThat(DrainRequestEnd.report(outcome(End.FAILED), LAST, true, NodeLeft.NOTHING))
        .contains(DrainRequestReport.done(5, true));
  }
}
