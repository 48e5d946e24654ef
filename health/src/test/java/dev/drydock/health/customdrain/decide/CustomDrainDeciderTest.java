package dev.drydock.health.customdrain.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.health.customdrain.decide.CustomDrainRules.Reported;
import dev.drydock.health.customdrain.decide.DrainResource.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CustomDrainDeciderTest {
  private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");
  private static final Instant LATER = NOW.plus(Duration.ofMinutes(30));
  private static final CustomDrainTask TASK = new CustomDrainTask("node", "e1", "e1", "");
  private static final CustomDrainTask PARTIAL = new CustomDrainTask("node", "e1", "e1", "GPU-1");

  private static CustomDrainRules rules(boolean proceeds) {
    return new CustomDrainRules(
        new Reported("Complete", "True"),
        new Reported("Failed", "True"),
        Duration.ofMinutes(30),
        proceeds);
  }

  private static DrainResource resource(
      String event, String episode, String scope, boolean deleting, Progress progress) {
    return new DrainResource(
        "DrainRequest ns/x", NOW, deleting, event, episode, scope, progress, false, "said so");
  }

  private static String decide(CustomDrainTask task, Instant now, DrainResource... present) {
    return CustomDrainDecider.decide(task, List.of(present), rules(false), now)
        .getClass()
        .getSimpleName();
  }

  /**
   * One other resource, in all its states, and none: the first cell of each row is what is made.
   */
  @Test
  void everyOtherResourceOfTheNode() {
    for (String event : List.of("", "e1", "e2")) {
      for (String episode : List.of("e1", "e0")) {
        for (String scope : List.of("", "GPU-1", "GPU-2")) {
          for (boolean deleting : List.of(true, false)) {
            for (Progress progress : Progress.values()) {
              for (CustomDrainTask task : List.of(TASK, PARTIAL)) {
                DrainResource other = resource(event, episode, scope, deleting, progress);
                assertThat(decide(task, NOW, other))
                    .as("%s for %s", other, task)
                    .isEqualTo(expected(other, task));
              }
            }
          }
        }
      }
    }
    assertThat(decide(TASK, NOW)).isEqualTo("Create");
  }

  private static String expected(DrainResource other, CustomDrainTask task) {
    boolean own = other.event().equals("e1") && other.episode().equals("e1");
    if (own) {
      return switch (other.progress()) {
        case COMPLETE -> "Complete";
        case FAILED -> "Fail";
        case PENDING -> "Wait";
      };
    }
    boolean foreign = other.event().isEmpty();
    boolean counts = foreign ? !other.deleting() : other.episode().equals("e1");
    if (counts && other.progress() == Progress.PENDING) {
      return "Wait";
    }
    boolean covers =
        counts && !foreign && (other.scope().isEmpty() || other.scope().equals(task.scope()));
    return covers && other.progress() == Progress.COMPLETE ? "AlreadyDrained" : "Create";
  }

  @Test
  void theTimeCountsFromTheCreation() {
    DrainResource own = resource("e1", "e1", "", false, Progress.PENDING);

    CustomDrainStep before =
        CustomDrainDecider.decide(TASK, List.of(own), rules(false), LATER.minusMillis(1));
    assertThat(before)
        .isEqualTo(
            new CustomDrainStep.Wait(LATER, "DrainRequest ns/x is not complete: said so", false));
    assertThat(CustomDrainDecider.decide(TASK, List.of(own), rules(false), LATER))
        .isEqualTo(
            new CustomDrainStep.Fail("DrainRequest ns/x is not complete after 30m: said so", true));
    assertThat(CustomDrainDecider.decide(TASK, List.of(own), rules(true), LATER))
        .isEqualTo(
            new CustomDrainStep.Complete(
                "DrainRequest ns/x is not complete after 30m: said so; the configuration says to proceed"));
  }

  @Test
  void whatIsCompleteOrHasFailedIsNotTooLate() {
    assertThat(decide(TASK, LATER, resource("e1", "e1", "", true, Progress.COMPLETE)))
        .isEqualTo("Complete");
    assertThat(decide(TASK, LATER, resource("e1", "e1", "", false, Progress.FAILED)))
        .isEqualTo("Fail");
  }

  @Test
  void oneThatRunsHoldsUpTheOthersAlsoBesideOneThatIsComplete() {
    List<DrainResource> all = new ArrayList<>();
    all.add(resource("e2", "e1", "", false, Progress.COMPLETE));
    all.add(resource("e3", "e1", "GPU-9", false, Progress.PENDING));

    assertThat(Optional.of(CustomDrainDecider.decide(TASK, all, rules(false), NOW)))
        .containsInstanceOf(CustomDrainStep.Wait.class);
  }
}
