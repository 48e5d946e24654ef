package dev.drydock.drain.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.engine.decide.DrainOutcome.End;
import dev.drydock.drain.engine.decide.Eta;
import dev.drydock.drain.engine.decide.PodRef;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DrainFailureTest {
  private static final PodRef A = new PodRef("ns", "a", "1");
  private static final PodRef B = new PodRef("ns", "b", "2");

  @Test
  void aRefusalNamesEveryPodInKubectlsWords() {
    DrainOutcome outcome =
        outcome(
            End.REFUSED,
            Decision.Status.REFUSED,
            new Blocker(BlockReason.UNMANAGED, List.of(A, B), List.of(), "cannot delete X"),
            new Blocker(BlockReason.DAEMON_SET, List.of(B), List.of(), "cannot delete Y"));

    assertThat(DrainFailure.line(outcome, List.of()))
        .isEqualTo(
            "node/n is cordoned, but nothing was evicted:"
                + " cannot delete X: ns/a, ns/b; cannot delete Y: ns/b");
  }

  @Test
  void whatHoldsMostPodsIsTheReasonAndHasTheOneNextStep() {
    DrainOutcome outcome =
        outcome(
            End.FAILED,
            Decision.Status.FAILED,
            new Blocker(BlockReason.FINALIZER, List.of(A), List.of("f"), "held by f"),
            new Blocker(BlockReason.SLOW_TO_STOP, List.of(A, B), List.of(), "still there"),
            new Blocker(BlockReason.DEADLINE_PASSED, List.of(), List.of(), "too late"));

    assertThat(DrainFailure.line(outcome, List.of()))
        .isEqualTo(
            "node/n is cordoned, but 2 pods are left: ns/a, ns/b: still there (and 1 other reason);"
                + " next: "
                + BlockReason.SLOW_TO_STOP.next());
  }

  @Test
  void podsThatOnlyNeedMoreTimeAreNamed() {
    DrainOutcome outcome = outcome(End.FAILED, Decision.Status.FAILED);

    assertThat(DrainFailure.line(outcome, List.of(A)))
        .isEqualTo(
            "node/n is cordoned, but 2 pods are left, still stopping: ns/a;"
                + " next: drain again with more time");
  }

  @Test
  void aDrainThatCouldNotBeginSaysWhy() {
    DrainOutcome outcome =
        new DrainOutcome("n", End.FAILED, "may not", Optional.empty(), Duration.ZERO);

    assertThat(DrainFailure.line(outcome, List.of())).isEqualTo("node/n not drained: may not");
  }

  private static DrainOutcome outcome(End end, Decision.Status status, Blocker... blockers) {
    Decision last =
        new Decision(
            status,
            List.of(),
            Arrays.asList(blockers),
            List.of(),
            new Decision.Progress(0, 2, 0, 0),
            new Eta(Duration.ZERO, Optional.empty()),
            Set.of(),
            Optional.empty());
    return new DrainOutcome("n", end, "", Optional.of(last), Duration.ZERO);
  }
}
