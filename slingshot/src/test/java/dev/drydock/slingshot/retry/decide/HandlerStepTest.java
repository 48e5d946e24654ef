package dev.drydock.slingshot.retry.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CXIDriverSpec.CrashAction;
import dev.drydock.slingshot.retry.decide.HandlerStep.Forget;
import dev.drydock.slingshot.retry.decide.HandlerStep.Kill;
import dev.drydock.slingshot.retry.decide.HandlerStep.Quarantine;
import dev.drydock.slingshot.retry.decide.HandlerStep.Rest;
import dev.drydock.slingshot.retry.decide.HandlerStep.Start;
import dev.drydock.slingshot.retry.decide.HandlerStep.Stop;
import dev.drydock.slingshot.retry.decide.HandlerView.Child;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HandlerStepTest {
  private static final Duration NOW = Duration.ofSeconds(1000);
  private static final HandlerHistory CRASHED =
      HandlerHistory.NONE.ended(1, Duration.ofSeconds(3), NOW);
  private static final HandlerHistory CRASHED_BEFORE =
      HandlerHistory.NONE.ended(1, Duration.ofSeconds(3), NOW.minusSeconds(1));
  private static final List<Boolean> BOTH = List.of(true, false);

  private static HandlerView view(
      boolean present,
      boolean deviceFile,
      boolean update,
      boolean quarantine,
      boolean program,
      boolean elsewhere,
      Child child) {
    return new HandlerView(
        present,
        deviceFile,
        update ? Optional.of("1.9.0") : Optional.empty(),
        quarantine ? Optional.of("it crashed") : Optional.empty(),
        program,
        elsewhere ? Optional.of("process 7") : Optional.empty(),
        child);
  }

  private static HandlerView fine(Child child) {
    return view(true, true, false, false, true, false, child);
  }

  private static HandlerStep of(HandlerView view, HandlerHistory history, CrashAction policy) {
    return HandlerStep.of(view, history, policy, NOW);
  }

  private static List<HandlerView> views(Child child) {
    List<HandlerView> all = new ArrayList<>();
    for (int bits = 0; bits < 64; bits++) {
      all.add(
          view(
              (bits & 1) != 0,
              (bits & 2) != 0,
              (bits & 4) != 0,
              (bits & 8) != 0,
              (bits & 16) != 0,
              (bits & 32) != 0,
              child));
    }
    return all;
  }

  @Test
  void aHandlerStartsExactlyIfNothingIsInItsWay() {
    for (CrashAction policy : CrashAction.values()) {
      for (HandlerHistory history : List.of(HandlerHistory.NONE, CRASHED, CRASHED_BEFORE)) {
        for (HandlerView view : views(new Child.None())) {
          boolean crashed = history.crashed();
          boolean expected =
              view.present()
                  && view.deviceFile()
                  && view.update().isEmpty()
                  && view.quarantine().isEmpty()
                  && view.program()
                  && view.elsewhere().isEmpty()
                  && history.left(NOW).isEmpty()
                  && (policy == CrashAction.restart || !crashed);

          assertThat(of(view, history, policy) instanceof Start)
              .as("%s %s %s", view, history, policy)
              .isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void aHandlerThatRunsIsStoppedExactlyIfItMustNot() {
    for (CrashAction policy : CrashAction.values()) {
      for (HandlerView view : views(new Child.Alive())) {
        boolean mustNot =
            !view.present()
                || view.update().isPresent()
                || view.quarantine().isPresent()
                || view.elsewhere().isPresent();

        HandlerStep step = of(view, HandlerHistory.NONE, policy);

        assertThat(step instanceof Stop).as("%s", view).isEqualTo(mustNot);
        if (!mustNot) {
          assertThat(step)
              .isEqualTo(
                  new Rest(new HandlerStep.Standing(HandlerReason.Running, ""), HandlerStep.LOOK));
        }
      }
    }
  }

  @Test
  void aHandlerThatDoesNotEndIsKilledAfterTenSeconds() {
    for (HandlerView view : views(new Child.Asked(NOW.minusSeconds(9)))) {
      assertThat(of(view, HandlerHistory.NONE, CrashAction.restart))
          .isInstanceOfSatisfying(
              Rest.class, rest -> assertThat(rest.most()).isEqualTo(Duration.ofSeconds(1)));
    }
    for (HandlerView view : views(new Child.Asked(NOW.minusSeconds(10)))) {
      assertThat(of(view, HandlerHistory.NONE, CrashAction.restart)).isInstanceOf(Kill.class);
    }
  }

  @Test
  void aDeviceThatIsGoneIsForgotten() {
    views(new Child.None()).stream()
        .filter(view -> !view.present())
        .forEach(
            view -> assertThat(of(view, CRASHED, CrashAction.quarantine)).isEqualTo(new Forget()));
  }

  @Test
  void aCrashLeadsToQuarantineUnderThatPolicyOnly() {
    assertThat(of(fine(new Child.None()), CRASHED, CrashAction.quarantine))
        .isEqualTo(new Quarantine("cxi_rh ended with exit code 1 after 3 s"));
    assertThat(of(fine(new Child.None()), CRASHED, CrashAction.restart))
        .isEqualTo(
            new Rest(
                new HandlerStep.Standing(
                    HandlerReason.Crashed, "cxi_rh ended with exit code 1 after 3 s"),
                Duration.ofSeconds(1)));
  }

  @ParameterizedTest
  @EnumSource(CrashAction.class)
  void everyWaitNamesItsReason(CrashAction policy) {
    for (boolean update : BOTH) {
      for (HandlerView view :
          List.of(
              view(true, false, update, false, true, false, new Child.None()),
              view(true, true, update, true, true, false, new Child.None()),
              view(true, true, update, false, false, false, new Child.None()),
              view(true, true, update, false, true, true, new Child.None()))) {
        assertThat(of(view, HandlerHistory.NONE, policy))
            .isInstanceOfSatisfying(
                Rest.class,
                rest -> {
                  assertThat(rest.standing().message()).isNotEmpty();
                  assertThat(rest.standing().reason())
                      .isEqualTo(
                          update
                              ? HandlerReason.DriverUpdate
                              : view.quarantine().isPresent()
                                  ? HandlerReason.Quarantined
                                  : view.elsewhere().isPresent()
                                      ? HandlerReason.RunningElsewhere
                                      : view.deviceFile()
                                          ? HandlerReason.RetryHandlerBinaryMissing
                                          : HandlerReason.DeviceFileMissing);
                });
      }
    }
  }

  @Test
  void aMissingProgramIsLookedForOnceAMinute() {
    assertThat(
            of(
                view(true, true, false, false, false, false, new Child.None()),
                HandlerHistory.NONE,
                CrashAction.restart))
        .isInstanceOfSatisfying(
            Rest.class, rest -> assertThat(rest.most()).isEqualTo(Duration.ofSeconds(60)));
  }
}
