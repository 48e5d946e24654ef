package dev.drydock.edge.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.edge.decide.DeferredOperation.State;
import dev.drydock.edge.decide.OperationInput.LastCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every operation in every state, at every status of the drain. */
class OperationDeciderTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration SKIP = Duration.ofMinutes(5);
  private static final LastCheck FINE = new LastCheck(NOW, Optional.empty(), Optional.empty());

  private static DeferredOperation operation(EdgeOperation kind, State state) {
    return new DeferredOperation(kind, state, NOW, "boot", kind.word(), List.of(), "");
  }

  private static OperationInput input(NodeDrainState state) {
    return new OperationInput(
        state,
        true,
        Duration.ZERO,
        Duration.ofSeconds(60),
        true,
        Optional.of(FINE),
        false,
        false,
        "boot",
        NOW);
  }

  private static OperationInput checked(Optional<LastCheck> check, Instant now) {
    return new OperationInput(
        NodeDrainState.COMPLETE,
        true,
        Duration.ZERO,
        Duration.ZERO,
        true,
        check,
        false,
        false,
        "boot",
        now);
  }

  private static OperationStep decide(EdgeOperation kind, State state, NodeDrainState drain) {
    return OperationDecider.decide(operation(kind, state), input(drain), SKIP);
  }

  @ParameterizedTest
  @EnumSource
  void everyStatusHasTheGatesAnswer(NodeDrainState drain) {
    for (EdgeOperation kind : EdgeOperation.values()) {
      for (State state : List.of(State.ASKED, State.DEFERRED)) {
        OperationGate gate =
            state == State.ASKED
                ? OperationGate.asked(drain, Duration.ZERO, Duration.ofSeconds(60))
                : OperationGate.deferred(drain, Duration.ZERO, Duration.ofSeconds(60));
        assertThat(decide(kind, state, drain))
            .as("%s %s at %s", state, kind, drain)
            .isInstanceOf(
                switch (gate) {
                  case GO -> OperationStep.Run.class;
                  case REQUEST, DEFER -> OperationStep.Defer.class;
                  case KEEP -> OperationStep.Keep.class;
                  case WAIT -> OperationStep.Wait.class;
                });
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatWaitsForAPersonGoesOnlyWithADrainOfItsRequesterOrWithoutDrains(NodeDrainState drain) {
    for (EdgeOperation kind : EdgeOperation.values()) {
      DeferredOperation kept = operation(kind, State.KEPT);
      for (boolean addressed : List.of(true, false)) {
        boolean goes =
            drain == NodeDrainState.NOTSUPPORTED || (drain == NodeDrainState.COMPLETE && addressed);
        OperationInput in =
            new OperationInput(
                drain,
                addressed,
                Duration.ofHours(1),
                Duration.ofSeconds(60),
                true,
                Optional.of(FINE),
                false,
                false,
                "boot",
                NOW);
        assertThat(OperationDecider.decide(kept, in, SKIP))
            .as("%s at %s, its own drain: %s", kind, drain, addressed)
            .isEqualTo(
                goes
                    ? new OperationStep.Run(operation(kind, State.STARTED))
                    : new OperationStep.Keep(kept));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatHasEndedNeverRunsAgain(NodeDrainState drain) {
    for (EdgeOperation kind : EdgeOperation.values()) {
      for (State state : List.of(State.DONE, State.FAILED)) {
        assertThat(decide(kind, state, drain))
            .isEqualTo(new OperationStep.Wait(operation(kind, state), Instant.MAX));
      }
    }
  }

  @Test
  void anOperationOfAnEarlierBootIsOverButAnUpdateIsNot() {
    for (EdgeOperation kind : EdgeOperation.values()) {
      for (State state : State.values()) {
        DeferredOperation old =
            new DeferredOperation(kind, state, NOW, "other boot", kind.word(), List.of(), "");
        OperationStep step = OperationDecider.decide(old, input(NodeDrainState.COMPLETE), SKIP);
        if (kind == EdgeOperation.UPDATE && old.isPending()) {
          assertThat(step).isEqualTo(new OperationStep.Wait(operation(kind, State.ASKED), NOW));
        } else {
          assertThat(step).isInstanceOf(OperationStep.Drop.class);
        }
      }
    }
  }

  @Test
  void afterACrashTheMachineIsRebootedAgainButNoImageInstalledTwice() {
    assertThat(decide(EdgeOperation.REBOOT, State.STARTED, NodeDrainState.COMPLETE))
        .isInstanceOf(OperationStep.Run.class);
    assertThat(decide(EdgeOperation.UPDATE, State.STARTED, NodeDrainState.COMPLETE))
        .isInstanceOf(OperationStep.Interrupted.class);
  }

  @Test
  void oneOperationAtATime() {
    OperationInput busy =
        new OperationInput(
            NodeDrainState.COMPLETE,
            true,
            Duration.ZERO,
            Duration.ZERO,
            false,
            Optional.empty(),
            false,
            true,
            "boot",
            NOW);
    assertThat(
            OperationDecider.decide(operation(EdgeOperation.SHUTDOWN, State.DEFERRED), busy, SKIP))
        .isInstanceOf(OperationStep.Wait.class);
  }

  @Test
  void theClusterIsLookedAtLastAndAgain() {
    DeferredOperation reboot = operation(EdgeOperation.REBOOT, State.DEFERRED);

    assertThat(OperationDecider.decide(reboot, checked(Optional.empty(), NOW), SKIP))
        .isEqualTo(new OperationStep.Check());
    assertThat(
            OperationDecider.decide(reboot, checked(Optional.of(FINE), NOW.plusSeconds(4)), SKIP))
        .isInstanceOf(OperationStep.Run.class);
    assertThat(
            OperationDecider.decide(reboot, checked(Optional.of(FINE), NOW.plusSeconds(5)), SKIP))
        .as("what was seen is old")
        .isEqualTo(new OperationStep.Check());
  }

  @Test
  void whatIsInTheWayIsSaidAndLookedAtAgain() {
    DeferredOperation reboot = operation(EdgeOperation.REBOOT, State.DEFERRED);
    LastCheck blocked = new LastCheck(NOW, Optional.of("volume v"), Optional.empty());

    assertThat(OperationDecider.decide(reboot, checked(Optional.of(blocked), NOW), SKIP))
        .isEqualTo(
            new OperationStep.Wait(reboot.with(State.DEFERRED, "volume v"), NOW.plusSeconds(15)));
    assertThat(
            OperationDecider.decide(
                reboot, checked(Optional.of(blocked), NOW.plusSeconds(15)), SKIP))
        .isEqualTo(new OperationStep.Check());
  }

  @Test
  void withoutAnApiServerTheLastLookIsSkippedAfterTheSameTimeAsTheDrain() {
    DeferredOperation reboot = operation(EdgeOperation.REBOOT, State.DEFERRED);
    LastCheck blind = new LastCheck(NOW, Optional.empty(), Optional.of(NOW.minusSeconds(290)));

    assertThat(
            OperationDecider.decide(reboot, checked(Optional.of(blind), NOW.plusSeconds(9)), SKIP))
        .isInstanceOf(OperationStep.Wait.class);
    assertThat(
            OperationDecider.decide(reboot, checked(Optional.of(blind), NOW.plusSeconds(10)), SKIP))
        .isInstanceOf(OperationStep.Run.class);
  }

  @Test
  void anOperationWaitsForAnotherOfThisBootThatHasBegun() {
    for (EdgeOperation kind : EdgeOperation.values()) {
      for (EdgeOperation other : EdgeOperation.values()) {
        for (State state : State.values()) {
          DeferredOperation begun = operation(other, state);
          boolean waits =
              kind != EdgeOperation.LOGIND
                  && other != kind
                  && (state == State.STARTED
                      || (state == State.DONE && other != EdgeOperation.UPDATE));
          assertThat(operation(kind, State.ASKED).waitsForAnother(List.of(begun), "boot"))
              .as("%s, and %s %s", kind, other, state)
              .isEqualTo(waits);
          assertThat(operation(kind, State.ASKED).waitsForAnother(List.of(begun), "next"))
              .as("an earlier boot")
              .isFalse();
        }
      }
    }
  }

  @Test
  void aLookThatFailsBlocksUnlessTheServerIsUnreachable() {
    Instant since = NOW.minusSeconds(60);
    for (int code : new int[] {0, 401, 403, 404, 408, 409, 429, 500, 503}) {
      boolean unreachable = code == 0 || code == 408 || code == 429 || code >= 500;
      LastCheck first = LastCheck.ofFailure(NOW, code, "why", Optional.empty());
      LastCheck again = LastCheck.ofFailure(NOW, code, "why", Optional.of(since));
      assertThat(first.blocked().isPresent()).as("code %d", code).isEqualTo(!unreachable);
      assertThat(first.unreachableSince())
          .isEqualTo(unreachable ? Optional.of(NOW) : Optional.empty());
      assertThat(again.unreachableSince())
          .isEqualTo(unreachable ? Optional.of(since) : Optional.empty());
    }
  }

  @Test
  void theStateIsUnknownUntilItIsKnownWhetherTheNodeIsInACluster() {
    for (boolean disabled : new boolean[] {false, true}) {
      EdgeDrain drain = EdgeDrain.atStart(NOW).disabled(disabled);
      for (DrainRequester by : DrainRequester.values()) {
        assertThat(drain.stateFor(by, Optional.empty()))
            .isEqualTo(disabled ? NodeDrainState.NOTSUPPORTED : NodeDrainState.UNKNOWN);
        assertThat(drain.stateFor(by, Optional.of(true))).isEqualTo(drain.stateFor(by));
      }
    }
  }

  @Test
  void onlyADrainThatSawTheClusterIsCheckedAgain() {
    for (EdgeDrain.Ending how : EdgeDrain.Ending.values()) {
      EdgeDrain drain = EdgeDrain.atStart(NOW).complete(how, NOW);
      boolean blind = how == EdgeDrain.Ending.API_UNREACHABLE || how == EdgeDrain.Ending.FORCED;
      assertThat(drain.needsLastCheck(DrainRequester.UPDATE)).as("%s", how).isEqualTo(!blind);
      assertThat(
              drain
                  .releasedFor(List.of(DrainRequester.UPDATE))
                  .needsLastCheck(DrainRequester.UPDATE))
          .as("a person forced it")
          .isFalse();
    }
    assertThat(EdgeDrain.atStart(NOW).needsLastCheck(DrainRequester.UPDATE)).isFalse();
  }
}
