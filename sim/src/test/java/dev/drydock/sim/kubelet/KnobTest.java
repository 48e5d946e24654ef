package dev.drydock.sim.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.contracts.GoDuration;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KnobTest {
  @ParameterizedTest
  @CsvSource({
    "0, PT0S",
    "0s, PT0S",
    "500ms, PT0.5S",
    "2s, PT2S",
    "1m30s, PT1M30S",
    "1h, PT1H",
    "1h1m1s1ms, PT1H1M1.001S",
    "90m, PT1H30M",
    "1.5s, PT1.5S"
  })
  void readsDurations(String text, Duration duration) {
    assertThat(GoDuration.find(text)).contains(duration);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "2", "s", "-2s", "2 s", " 2s", "2s ", "2secs", "1d", "99999999999s"})
  void takesNothingElseForADuration(String text) {
    assertThat(GoDuration.find(text)).isEmpty();
  }

  @Test
  void everyKnobIsFoundByItsAnnotation() {
    assertThat(Knob.values())
        .allSatisfy(knob -> assertThat(Knob.ofAnnotation(knob.annotation())).contains(knob));
    assertThat(Arrays.stream(Knob.values()).map(Knob::annotation)).doesNotHaveDuplicates();
  }

  @Test
  void whatIsNotSetHasTheDocumentedDefault() {
    KubeletKnobs none = KubeletKnobs.NONE;

    assertThat(none.readyAfter()).isEqualTo(Duration.ZERO);
    assertThat(none.stopWithin(Duration.ofSeconds(30))).isEqualTo(Duration.ZERO);
    assertThat(none.refusesStop()).isFalse();
    assertThat(none.completeAfter()).isEmpty();
    assertThat(none.neverReady()).isFalse();
    assertThat(none.silent()).isFalse();
    assertThat(none.reboot()).isEmpty();
    assertThat(none.rebootTakes()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void everyKnobIsReadFromItsAnnotation() {
    KubeletKnobs knobs =
        KubeletKnobs.ofNode(
                Map.of(
                    "sim.drydock.dev/ready-after", "1s",
                    "sim.drydock.dev/stop-after", "2s",
                    "sim.drydock.dev/refuse-stop", "true",
                    "sim.drydock.dev/complete-after", "3s",
                    "sim.drydock.dev/never-ready", "true",
                    "sim.drydock.dev/silent", "true",
                    "sim.drydock.dev/reboot", "today",
                    "sim.drydock.dev/reboot-takes", "4s"))
            .knobs();

    assertThat(knobs.readyAfter()).isEqualTo(Duration.ofSeconds(1));
    assertThat(knobs.stopWithin(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(2));
    assertThat(knobs.refusesStop()).isTrue();
    assertThat(knobs.completeAfter()).contains(Duration.ofSeconds(3));
    assertThat(knobs.neverReady()).isTrue();
    assertThat(knobs.silent()).isTrue();
    assertThat(knobs.reboot()).contains("today");
    assertThat(knobs.rebootTakes()).isEqualTo(Duration.ofSeconds(4));
  }

  @Test
  void aPodNeverStopsLaterThanItsGrace() {
    Duration grace = Duration.ofSeconds(30);

    assertThat(KubeletKnobs.NONE.with(Knob.STOP_AFTER, "5s").stopWithin(grace))
        .isEqualTo(Duration.ofSeconds(5));
    assertThat(KubeletKnobs.NONE.with(Knob.STOP_AFTER, "1h").stopWithin(grace)).isEqualTo(grace);
    assertThat(KubeletKnobs.NONE.with(Knob.STOP_AFTER, "grace").stopWithin(grace)).isEqualTo(grace);
  }

  @Test
  void thePodGoesBeforeTheNodeAndTheNodeBeforeTheFleet() {
    KubeletKnobs fleet =
        KubeletKnobs.NONE
            .with(Knob.READY_AFTER, "1s")
            .with(Knob.COMPLETE_AFTER, "1s")
            .with(Knob.NEVER_READY, "true");
    KubeletKnobs node =
        KubeletKnobs.NONE.with(Knob.READY_AFTER, "2s").with(Knob.COMPLETE_AFTER, "2s");
    KubeletKnobs pod = KubeletKnobs.NONE.with(Knob.READY_AFTER, "3s");

    KubeletKnobs effective = pod.orElse(node).orElse(fleet);

    assertThat(effective.readyAfter()).isEqualTo(Duration.ofSeconds(3));
    assertThat(effective.completeAfter()).isEqualTo(Optional.of(Duration.ofSeconds(2)));
    assertThat(effective.neverReady()).isTrue();
  }

  @Test
  void aPodCanSwitchOffWhatItsNodeSwitchesOn() {
    KubeletKnobs node = KubeletKnobs.NONE.with(Knob.NEVER_READY, "true");
    KubeletKnobs pod = KubeletKnobs.NONE.with(Knob.NEVER_READY, "false");

    assertThat(pod.orElse(node).neverReady()).isFalse();
  }

  @Test
  void whatIsMalformedIsNamedAndIgnored() {
    KubeletKnobs.Reading reading =
        KubeletKnobs.ofPod(
            Map.of(
                "sim.drydock.dev/ready-after", "soon",
                "sim.drydock.dev/stop-after", "later",
                "sim.drydock.dev/refuse-stop", "yes",
                "sim.drydock.dev/complete-after", "2s",
                "other.example/annotation", "soon"));

    assertThat(reading.knobs()).isEqualTo(KubeletKnobs.NONE.with(Knob.COMPLETE_AFTER, "2s"));
    assertThat(reading.problems())
        .containsExactlyInAnyOrder(
            "sim.drydock.dev/ready-after: \"soon\" is not a duration; write it like 500ms, 2s or 1m30s."
                + " It is ignored.",
            "sim.drydock.dev/stop-after: \"later\" is neither \"grace\" nor a duration; write it like 500ms,"
                + " 2s or 1m30s. It is ignored.",
            "sim.drydock.dev/refuse-stop: \"yes\" is neither \"true\" nor \"false\". It is ignored.");
  }

  @Test
  void misspeltAndMisplacedKnobsAreNamed() {
    Map<String, String> annotations =
        Map.of("sim.drydock.dev/redy-after", "2s", "sim.drydock.dev/silent", "true");

    assertThat(KubeletKnobs.ofPod(annotations).problems())
        .containsExactlyInAnyOrder(
            "sim.drydock.dev/redy-after: \"2s\" is set, but there is no such knob. It is ignored.",
            "sim.drydock.dev/silent: \"true\" is set on a Pod, but works only on a Node. It is ignored.");
    assertThat(KubeletKnobs.ofNode(annotations).problems()).hasSize(1);
  }

  @Test
  void aMalformedFleetDefaultIsRefused() {
    assertThatThrownBy(() -> KubeletKnobs.NONE.with(Knob.READY_AFTER, "soon"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sim.drydock.dev/ready-after: \"soon\" is not a duration");
  }

  @Test
  void everyPodHasItsOwnTimeWithinARangeAndAlwaysTheSame() {
    KubeletKnobs range = KubeletKnobs.NONE.with(Knob.READY_AFTER, "5s..10s");

    Duration one = range.drawnFor("uid-1").readyAfter();

    assertThat(one).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10));
    assertThat(range.drawnFor("uid-1").readyAfter()).isEqualTo(one);
    assertThat(range.drawnFor("uid-2").readyAfter()).isNotEqualTo(one);
  }

  @Test
  void aRangeIsForPodsAndCountsUpwards() {
    assertThatThrownBy(() -> KubeletKnobs.NONE.with(Knob.STOP_AFTER, "9s..3s"))
        .hasMessageContaining("is neither \"grace\" nor a duration");
    assertThatThrownBy(() -> KubeletKnobs.NONE.with(Knob.REBOOT_TAKES, "1s..3s"))
        .hasMessageContaining("is not a duration");
  }
}
