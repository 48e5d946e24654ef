package dev.drydock.lifecycle.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.lifecycle.decide.DriverDrain.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DriverDrainTest {
  private static final DriverDrain RUNNING = DriverDrain.begin("default/event").started();
  private static final String OTHER = "maintenance/ops/firmware";

  private static DrainOutcome outcome(DrainOutcome.End end) {
    return new DrainOutcome("n", end, "how it ended", Optional.empty(), Duration.ofSeconds(1));
  }

  @ParameterizedTest
  @EnumSource
  void onlyADrainedNodeIsDone(DrainOutcome.End end) {
    DriverDrain ended = RUNNING.ended(outcome(end));

    assertThat(ended.run()).isEqualTo(end == DrainOutcome.End.DONE ? Run.DONE : Run.FAILED);
    assertThat(ended.message()).isEqualTo("how it ended");
  }

  @ParameterizedTest
  @EnumSource
  void aCancelledRunCountsAsNoneHoweverItEnded(DrainOutcome.End end) {
    DriverDrain ended = RUNNING.cancelling().ended(outcome(end));

    assertThat(ended.run()).isEqualTo(Run.NONE);
    assertThat(ended.message()).isEmpty();
  }

  @Test
  void itsHoldIsReleasedOnlyWhereTheOtherHoldsTheNode() {
    DriverDrain drain =
        new DriverDrain(
            "e",
            Optional.of("uid"),
            Optional.of(OTHER),
            DriverDrain.Purpose.FOR_EVENT,
            "",
            "hold",
            Run.DONE,
            false,
            "",
            false,
            0,
            true,
            Optional.empty());
    Hold others = Hold.of(OTHER, "firmware", Instant.EPOCH);

    assertThat(drain.isHeldByOther(Holds.of(List.of(others), true))).isTrue();
    assertThat(drain.isHeldByOther(Holds.of(List.of(), false))).isFalse();
    assertThat(RUNNING.isHeldByOther(Holds.of(List.of(others), true))).isFalse();
  }
}
