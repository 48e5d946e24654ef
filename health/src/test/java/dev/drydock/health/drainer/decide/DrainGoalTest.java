package dev.drydock.health.drainer.decide;

import static dev.drydock.health.drainer.decide.TestDocuments.GPU;
import static dev.drydock.health.drainer.decide.TestDocuments.OTHER_GPU;
import static dev.drydock.health.drainer.decide.TestDocuments.WHOLE;
import static dev.drydock.health.drainer.decide.TestDocuments.document;
import static dev.drydock.health.drainer.decide.TestDocuments.scoped;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.health.decide.StateLabel;
import dev.drydock.health.drainer.decide.DrainDocument.Wish;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DrainGoalTest {
  @Test
  void aFloodIsOneDrainForTheOldest() {
    List<DrainDocument> flood =
        IntStream.range(1, 1001).mapToObj(i -> scoped("e" + (1001 - i), WHOLE)).toList();

    List<DrainGoal> goals = DrainGoal.of(flood);

    assertThat(goals).hasSize(1);
    assertThat(goals.getFirst().owner().id()).isEqualTo("e1");
    assertThat(goals.getFirst().documents()).hasSize(1000).doesNotHaveDuplicates();
    assertThat(goals.getFirst().since()).isEqualTo(scoped("e1", WHOLE).created());
  }

  @Test
  void eachDeviceHasADrainOfItsOwnUnlessTheWholeNodeIsDrained() {
    List<DrainDocument> devices =
        List.of(scoped("e3", GPU), scoped("e2", OTHER_GPU), scoped("e1", GPU));

    assertThat(DrainGoal.of(devices))
        .extracting(goal -> goal.scope() + " " + goal.owner().id())
        .containsExactly(GPU + " e1", OTHER_GPU + " e2");

    List<DrainDocument> all = new ArrayList<>(devices);
    all.add(scoped("e9", WHOLE));
    List<DrainGoal> goals = DrainGoal.of(all);
    assertThat(goals).hasSize(1);
    assertThat(goals.getFirst().owner().id()).as("the oldest of its scope").isEqualTo("e9");
    assertThat(goals.getFirst().others()).hasSize(3);
  }

  @Test
  void oneEventThatForcesForcesTheDrain() {
    DrainDocument plain = scoped("e1", WHOLE);
    DrainDocument forced = document("e2", "AlreadyQuarantined", "", "e1", false, Wish.FORCE, WHOLE);

    DrainGoal before = DrainGoal.of(List.of(plain)).getFirst();
    DrainGoal after = DrainGoal.of(List.of(plain, forced)).getFirst();

    assertThat(before.forced()).isFalse();
    assertThat(after.forced()).isTrue();
    assertThat(after.isSameDrain(before)).as("it begins anew").isFalse();
    assertThat(DrainGoal.of(List.of(plain, scoped("e3", WHOLE))).getFirst().isSameDrain(before))
        .as("only somebody else waits for it, too")
        .isTrue();
  }

  @Test
  void labelsChangeAsOthersExpectOrAreCounted() {
    Set<String> expected =
        Set.of(
            "none>quarantined",
            "quarantined>draining",
            "quarantined>drain-succeeded",
            "draining>drain-succeeded",
            "draining>drain-failed",
            "drain-succeeded>remediating",
            "remediating>remediation-succeeded",
            "remediating>remediation-failed",
            "remediation-succeeded>remediation-failed",
            "remediation-succeeded>remediating",
            "remediation-failed>remediation-succeeded",
            "remediation-failed>remediating");
    for (String before : labels()) {
      for (String after : labels()) {
        boolean harmless = before.equals(after) || after.equals("none");
        assertThat(StateLabel.isExpected(StateLabel.find(before), StateLabel.find(after)))
            .as("%s to %s", before, after)
            .isEqualTo(harmless || expected.contains(before + ">" + after));
      }
    }
  }

  private static List<String> labels() {
    return Stream.concat(
            Stream.of("none"), Arrays.stream(StateLabel.values()).map(StateLabel::word))
        .toList();
  }

  @Test
  void aLabelThatWasNotWrittenIsMendedFromTheEvents() {
    DrainDocument drained = scoped("e1", WHOLE).with(HealthStatus.SUCCEEDED, "");
    DrainDocument failed = scoped("e2", WHOLE).with(HealthStatus.FAILED, "");
    DrainDocument skipped = scoped("e3", WHOLE).with(HealthStatus.ALREADY_DRAINED, "");
    Optional<StateLabel> draining = Optional.of(StateLabel.DRAINING);

    assertThat(DocumentDecider.missingLabel(draining, List.of(failed, drained)))
        .contains(StateLabel.DRAIN_SUCCEEDED);
    assertThat(DocumentDecider.missingLabel(Optional.of(StateLabel.QUARANTINED), List.of(failed)))
        .contains(StateLabel.DRAIN_FAILED);
    assertThat(DocumentDecider.missingLabel(draining, List.of(skipped))).isEmpty();
    assertThat(DocumentDecider.missingLabel(Optional.of(StateLabel.REMEDIATING), List.of(drained)))
        .as("others have gone on")
        .isEmpty();
  }
}
