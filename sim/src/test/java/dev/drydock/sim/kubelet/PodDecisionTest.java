package dev.drydock.sim.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.sim.kubelet.Host.State;
import dev.drydock.sim.kubelet.PodStep.Finish;
import dev.drydock.sim.kubelet.PodStep.Remove;
import dev.drydock.sim.kubelet.PodStep.Rest;
import dev.drydock.sim.kubelet.PodStep.SetReady;
import dev.drydock.sim.kubelet.PodStep.Start;
import dev.drydock.sim.kubelet.PodStep.WaitUntil;
import dev.drydock.sim.kubelet.PodStep.Write;
import dev.drydock.sim.kubelet.PodView.Phase;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodDecisionTest {
  private static final Host UP = new Host(State.UP, "boot-1", "172.16.0.1");
  private static final Host REBOOTING = new Host(State.REBOOTING, "boot-1", "172.16.0.1");
  private static final Host REBOOTED = new Host(State.UP, "boot-2", "172.16.0.1");
  private static final Host SILENT = new Host(State.SILENT, "boot-1", "172.16.0.1");
  private static final KubeletKnobs NONE = KubeletKnobs.NONE;

  private final StoredPod stored = new StoredPod();
  private Instant now = Instant.parse("2026-01-01T12:00:00.700Z");

  @Test
  void aBoundPodRunsAndIsReadyAtOnce() {
    assertThat(decide(UP, NONE)).isEqualTo(new Start(0, true));

    carryOut(UP, NONE);

    assertThat(stored.pod.getStatus().getPhase()).isEqualTo("Running");
    assertThat(List.of("PodScheduled", "Initialized", "ContainersReady", "Ready"))
        .allSatisfy(type -> assertThat(stored.condition(type)).isEqualTo("True"));
    assertThat(decide(UP, NONE)).isEqualTo(new Rest());
  }

  @Test
  void aPodThatTakesTimeRunsAtOnceAndIsReadyThenNotEarlier() {
    KubeletKnobs slow = NONE.with(Knob.READY_AFTER, "2s");
    carryOut(UP, slow);
    assertThat(stored.pod.getStatus().getPhase()).isEqualTo("Running");
    assertThat(stored.condition("Ready")).isEqualTo("False");

    Instant ready = Instant.parse("2026-01-01T12:00:02.700Z");
    assertThat(decide(UP, slow)).isEqualTo(new WaitUntil(ready));
    now = ready.minusMillis(1);
    assertThat(decide(UP, slow)).isEqualTo(new WaitUntil(ready));
    now = ready;
    assertThat(decide(UP, slow)).isEqualTo(new SetReady(true, true));
    carryOut(UP, slow);
    assertThat(stored.condition("Ready")).isEqualTo("True");
    assertThat(decide(UP, slow)).isEqualTo(new Rest());
  }

  @Test
  void aNewProcessGoesOnFromTheStampsAndNeverTooEarly() {
    KubeletKnobs slow = NONE.with(Knob.READY_AFTER, "2s");
    carryOut(UP, slow);

    now = now.plusSeconds(1);
    PodView seenAfresh = stored.freshView(now);

    assertThat(PodDecision.decide(seenAfresh, UP, slow, now))
        .isEqualTo(new WaitUntil(Instant.parse("2026-01-01T12:00:03Z")));
  }

  @Test
  void aPodOnceReadyStaysSoWhenItsDelayGrows() {
    carryOut(UP, NONE);

    assertThat(decide(UP, NONE.with(Knob.READY_AFTER, "1h"))).isEqualTo(new Rest());
  }

  @Test
  void neverReadyHoldsUntilItIsTakenAway() {
    KubeletKnobs never = NONE.with(Knob.NEVER_READY, "true");
    assertThat(decide(UP, never)).isEqualTo(new Start(0, false));
    carryOut(UP, never);
    assertThat(decide(UP, never)).isEqualTo(new Rest());

    assertThat(decide(UP, NONE)).isEqualTo(new SetReady(true, true));
    carryOut(UP, NONE);
    assertThat(decide(UP, never)).isEqualTo(new SetReady(false, false));
  }

  @Test
  void readinessGatesAreAwaited() {
    stored
        .pod
        .getSpec()
        .setReadinessGates(
            List.of(new io.fabric8.kubernetes.api.model.PodReadinessGate("example/gate")));
    carryOut(UP, NONE);
    assertThat(stored.condition("ContainersReady")).isEqualTo("True");
    assertThat(stored.condition("Ready")).isEqualTo("False");
    assertThat(decide(UP, NONE)).isEqualTo(new Rest());

    List<io.fabric8.kubernetes.api.model.PodCondition> conditions =
        new ArrayList<>(stored.pod.getStatus().getConditions());
    conditions.add(new PodConditionBuilder().withType("example/gate").withStatus("True").build());
    stored.pod.getStatus().setConditions(conditions);

    assertThat(decide(UP, NONE)).isEqualTo(new SetReady(true, true));
  }

  @Test
  void completesAfterItsTimeReadyOrNot() {
    KubeletKnobs knobs = NONE.with(Knob.COMPLETE_AFTER, "3s").with(Knob.READY_AFTER, "5s");
    carryOut(UP, knobs);
    Instant done = now.plusSeconds(3);
    assertThat(decide(UP, knobs)).isEqualTo(new WaitUntil(done));

    now = done;
    assertThat(decide(UP, knobs)).isEqualTo(new Finish(Phase.SUCCEEDED, "Completed", 0));
    carryOut(UP, knobs);

    assertThat(stored.pod.getStatus().getPhase()).isEqualTo("Succeeded");
    assertThat(decide(UP, knobs)).isEqualTo(new Rest());
    assertThat(decide(REBOOTED, knobs)).as("nothing left to restart").isEqualTo(new Rest());
  }

  @Test
  void waitsForWhicheverComesFirst() {
    KubeletKnobs knobs = NONE.with(Knob.COMPLETE_AFTER, "9s").with(Knob.READY_AFTER, "5s");
    carryOut(UP, knobs);
    Instant started = now;

    assertThat(decide(UP, knobs)).isEqualTo(new WaitUntil(started.plusSeconds(5)));
    now = started.plusSeconds(5);
    carryOut(UP, knobs);
    assertThat(decide(UP, knobs)).isEqualTo(new WaitUntil(started.plusSeconds(9)));
  }

  @Test
  void aDeletedPodEndsInATerminalPhaseAndIsThenRemoved() {
    carryOut(UP, NONE);
    stored.delete(now, 30);

    assertThat(decide(UP, NONE)).isEqualTo(new Finish(Phase.FAILED, "Error", 143));
    carryOut(UP, NONE);
    assertThat(stored.condition("Ready")).isEqualTo("False");
    assertThat(decide(UP, NONE)).isEqualTo(new Remove());
  }

  @Test
  void aDeletedPodTakesTheTimeItIsTold() {
    carryOut(UP, NONE);
    stored.delete(now, 30);

    assertThat(decide(UP, NONE.with(Knob.STOP_AFTER, "4s")))
        .isEqualTo(new WaitUntil(now.plusSeconds(4)));
    assertThat(decide(UP, NONE.with(Knob.STOP_AFTER, "grace")))
        .isEqualTo(new WaitUntil(now.plusSeconds(30)));
    assertThat(decide(UP, NONE.with(Knob.STOP_AFTER, "1h")))
        .isEqualTo(new WaitUntil(now.plusSeconds(30)));
    now = now.plusSeconds(4);
    assertThat(decide(UP, NONE.with(Knob.STOP_AFTER, "4s"))).isInstanceOf(Finish.class);
  }

  @Test
  void aShorterGraceCountsFromTheFirstDeletion() {
    KubeletKnobs whole = NONE.with(Knob.STOP_AFTER, "grace");
    carryOut(UP, NONE);
    Instant deleted = now;
    stored.delete(deleted, 30);
    decide(UP, whole);

    now = now.plusSeconds(3);
    stored.delete(deleted, 10);

    assertThat(decide(UP, whole)).isEqualTo(new WaitUntil(deleted.plusSeconds(10)));
  }

  @Test
  void aPodThatRefusesToStopDoesSoUntilItMay() {
    KubeletKnobs refusing = NONE.with(Knob.REFUSE_STOP, "true");
    carryOut(UP, refusing);
    stored.delete(now, 1);

    now = now.plusSeconds(3600);
    assertThat(decide(UP, refusing)).isEqualTo(new Rest());
    assertThat(decide(UP, NONE)).isInstanceOf(Finish.class);
  }

  @Test
  void aPodDeletedBeforeItStartedIsNotStarted() {
    stored.delete(now, 30);

    assertThat(decide(UP, NONE.with(Knob.STOP_AFTER, "grace"))).isInstanceOf(Finish.class);
  }

  @Test
  void aPodThatOnlyFinalizersHoldIsLeftToThem() {
    carryOut(UP, NONE);
    stored.delete(now, 0);
    assertThat(decide(UP, NONE)).isInstanceOf(Finish.class);
    carryOut(UP, NONE);

    assertThat(decide(UP, NONE)).isEqualTo(new Rest());
  }

  @Test
  void aRebootTakesReadinessAndThenRestartsTheContainers() {
    carryOut(UP, NONE);
    assertThat(decide(REBOOTING, NONE)).isEqualTo(new SetReady(false, false));
    carryOut(REBOOTING, NONE);
    assertThat(stored.pod.getStatus().getContainerStatuses().getFirst().getReady()).isFalse();
    assertThat(decide(REBOOTING, NONE)).isEqualTo(new Rest());

    now = now.plusSeconds(5);
    assertThat(decide(REBOOTED, NONE)).isEqualTo(new Start(1, true));
    carryOut(REBOOTED, NONE);

    assertThat(stored.condition("Ready")).isEqualTo("True");
    assertThat(stored.pod.getStatus().getContainerStatuses().getFirst().getRestartCount())
        .isEqualTo(1);
    assertThat(decide(REBOOTED, NONE)).isEqualTo(new Rest());
  }

  @Test
  void aRestartedPodTakesItsTimeToBeReadyAgain() {
    KubeletKnobs slow = NONE.with(Knob.READY_AFTER, "2s");
    settle(UP, slow);
    settle(REBOOTING, slow);

    assertThat(decide(REBOOTED, slow)).isEqualTo(new Start(1, false));
    carryOut(REBOOTED, slow);
    assertThat(decide(REBOOTED, slow)).isEqualTo(new WaitUntil(now.plusSeconds(2)));
  }

  @Test
  void aPodThatMayNotRestartFailsInAReboot() {
    stored.pod.getSpec().setRestartPolicy("Never");
    carryOut(UP, NONE);

    assertThat(decide(REBOOTED, NONE)).isEqualTo(new Finish(Phase.FAILED, "Unknown", 255));
  }

  @Test
  void aRebootEndsWhatWasStopping() {
    KubeletKnobs whole = NONE.with(Knob.STOP_AFTER, "grace");
    carryOut(UP, whole);
    stored.delete(now, 300);

    assertThat(decide(REBOOTING, whole)).isEqualTo(new Rest());
    assertThat(decide(REBOOTED, whole)).isInstanceOf(Finish.class);
  }

  @Test
  void aRebootingNodeStartsAndRemovesNothing() {
    assertThat(decide(REBOOTING, NONE)).isEqualTo(new Rest());
    carryOut(UP, NONE);
    stored.delete(now, 30);
    carryOut(UP, NONE);

    assertThat(decide(REBOOTING, NONE)).isEqualTo(new Rest());
    assertThat(decide(UP, NONE)).isEqualTo(new Remove());
  }

  @Test
  void readinessTakenByTheNodeControllerIsGivenBack() {
    carryOut(UP, NONE);
    stored.markNotReady();

    assertThat(decide(SILENT, NONE)).isEqualTo(new Rest());
    assertThat(decide(UP, NONE)).isEqualTo(new SetReady(true, true));
    List<String> written =
        new PodStatusPatch(stored.view(now), UP, new SetReady(true, true), now)
            .status("").getConditions().stream().map(condition -> condition.getType()).toList();
    assertThat(written).as("only what changes").containsExactly("Ready");
  }

  /**
   * Every combination of state, knobs and host comes to rest, and keeps the guarantees on the way.
   */
  @Test
  void everyCombinationComesToRestAndKeepsItsPromises() {
    int combinations = 0;
    for (KubeletKnobs knobs : allKnobs()) {
      for (long grace : new long[] {-1, 0, 30}) {
        for (List<Host> life :
            List.of(
                List.of(UP),
                List.of(SILENT),
                List.of(REBOOTING),
                List.of(UP, REBOOTING, REBOOTED),
                List.of(UP, SILENT, UP),
                List.of(UP, REBOOTED))) {
          for (String policy : List.of("Always", "Never")) {
            walk(new StoredPod(), life, knobs, grace, policy);
            combinations++;
          }
        }
      }
    }
    assertThat(combinations).isEqualTo(2 * 3 * 2 * 2 * 2 * 3 * 6 * 2);
  }

  private static List<KubeletKnobs> allKnobs() {
    List<KubeletKnobs> all = new ArrayList<>();
    for (String readyAfter : List.of("0s", "2s")) {
      for (String stopAfter : List.of("0s", "7s", "grace")) {
        for (String refuse : List.of("false", "true")) {
          for (String never : List.of("false", "true")) {
            for (boolean completes : new boolean[] {false, true}) {
              KubeletKnobs knobs =
                  NONE.with(Knob.READY_AFTER, readyAfter)
                      .with(Knob.STOP_AFTER, stopAfter)
                      .with(Knob.REFUSE_STOP, refuse)
                      .with(Knob.NEVER_READY, never);
              all.add(completes ? knobs.with(Knob.COMPLETE_AFTER, "60s") : knobs);
            }
          }
        }
      }
    }
    return all;
  }

  private static void walk(
      StoredPod pod, List<Host> life, KubeletKnobs knobs, long grace, String policy) {
    pod.pod.getSpec().setRestartPolicy(policy);
    Instant time = Instant.parse("2026-01-01T12:00:00.700Z");
    for (int index = 0; index < life.size(); index++) {
      if (index == life.size() - 1 && grace >= 0) {
        pod.delete(time, grace);
      }
      Host host = life.get(index);
      for (int steps = 0; ; steps++) {
        assertThat(steps).as("steps on %s with %s", host, knobs).isLessThan(8);
        PodStep step = PodDecision.decide(pod.view(time), host, knobs, time);
        checkPromises(pod, host, knobs, step);
        if (step instanceof Rest || step instanceof Remove) {
          break;
        }
        if (step instanceof WaitUntil(Instant instant)) {
          assertThat(instant).as("a wait leads onwards").isAfter(time);
          time = instant;
        } else if (step instanceof Write write) {
          pod.patch(new PodStatusPatch(pod.view(time), host, write, time).status("10.128.0.1"));
        }
      }
      time = time.plus(Duration.ofSeconds(1));
    }
  }

  private static void checkPromises(StoredPod pod, Host host, KubeletKnobs knobs, PodStep step) {
    boolean deleted = pod.pod.getMetadata().getDeletionTimestamp() != null;
    boolean terminal = Phase.of(pod.pod.getStatus().getPhase()).isTerminal();
    if (host.state() == State.SILENT) {
      assertThat(step).isEqualTo(new Rest());
    }
    if (step instanceof Remove) {
      assertThat(deleted && terminal && host.state() == State.UP).isTrue();
    }
    if (step instanceof Start) {
      assertThat(deleted || terminal).isFalse();
    }
    if (terminal) {
      assertThat(step).isNotInstanceOf(Write.class);
    }
    if (deleted && knobs.refusesStop() && !terminal) {
      assertThat(step).isEqualTo(new Rest());
    }
    if (knobs.neverReady() && step instanceof SetReady(boolean containers, boolean ready)) {
      assertThat(containers || ready).isFalse();
    }
  }

  private PodStep decide(Host host, KubeletKnobs knobs) {
    return PodDecision.decide(stored.view(now), host, knobs, now);
  }

  private void carryOut(Host host, KubeletKnobs knobs) {
    Write write = (Write) decide(host, knobs);
    stored.patch(new PodStatusPatch(stored.view(now), host, write, now).status("10.128.0.1"));
    stored.view(now);
  }

  private void settle(Host host, KubeletKnobs knobs) {
    for (PodStep step = decide(host, knobs); !(step instanceof Rest); step = decide(host, knobs)) {
      if (step instanceof WaitUntil(Instant instant)) {
        now = instant;
      } else {
        carryOut(host, knobs);
      }
    }
  }
}
