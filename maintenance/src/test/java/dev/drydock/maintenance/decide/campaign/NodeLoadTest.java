package dev.drydock.maintenance.decide.campaign;

import static dev.drydock.maintenance.decide.campaign.TestCampaignFacts.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.decide.Eta;
import dev.drydock.drain.engine.decide.Owner;
import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.maintenance.decide.campaign.NodeLoad.RunningPod;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NodeLoadTest {
  private static final Instant NOW = at(0);

  /** Runs of 10, 20, 30, 40 and 100 minutes. */
  private static final RunHistory HISTORY =
      new RunHistory(Map.of("nightly", minutes(30, 10, 100, 20, 40)));

  private static PodFacts job(String name, Optional<Instant> started, Optional<Instant> finished) {
    PodFacts.Builder pod =
        PodFacts.named("team", name + "-x7k2p", "uid-" + name)
            .on("n1")
            .controller(new Owner("batch/v1", "Job", name, "uid-of-" + name))
            .activeDeadline(Duration.ofHours(1));
    started.ifPresent(pod::started);
    finished.ifPresent(pod::finishedAt);
    return pod.build();
  }

  @Test
  void runsOfOneCronJobAreComparedWithEachOther() {
    RunHistory history =
        RunHistory.of(
            List.of(
                job("nightly-1", Optional.of(at(0)), Optional.of(at(10))),
                job("nightly-2", Optional.of(at(0)), Optional.of(at(30))),
                job("nightly-3", Optional.empty(), Optional.of(at(90))),
                job("other-1", Optional.of(at(5)), Optional.of(at(5)))));

    assertThat(history.runsByOwner())
        .containsExactly(
            Map.entry("team/nightly", List.of(Duration.ofMinutes(10), Duration.ofMinutes(30))));
    assertThat(RunningPod.of(job("nightly-4", Optional.of(at(1)), Optional.empty()), at(2)))
        .isEqualTo(new RunningPod("team/nightly", at(1), Optional.of(at(61)), Optional.empty()));
    assertThat(RunningPod.of(job("nightly-5", Optional.empty(), Optional.empty()), at(2)).started())
        .as("has not started yet")
        .isEqualTo(at(2));
  }

  @Test
  void anEmptyNodeLeavesAtOnce() {
    assertThat(NodeLoad.EMPTY.leavesIn(HISTORY, NOW)).isZero();
  }

  @Test
  void theLongestPodCounts() {
    NodeLoad load =
        load(null, null, pod("a", 0, 30L, null), pod("a", 0, 50L, null), pod("a", 0, 5L, null));

    assertThat(load.leavesIn(RunHistory.NONE, NOW)).isEqualTo(Duration.ofMinutes(50));
  }

  @Test
  void theEarlierOfTwoDeadlinesCounts() {
    assertThat(leavesIn(pod("a", 0, 30L, 20L))).isEqualTo(Duration.ofMinutes(20));
    assertThat(leavesIn(pod("a", 0, 30L, 40L))).isEqualTo(Duration.ofMinutes(30));
    assertThat(leavesIn(pod("a", 0, null, 40L))).isEqualTo(Duration.ofMinutes(40));
    assertThat(leavesIn(pod("a", 90, -5L, null))).as("about to be ended").isZero();
  }

  @Test
  void earlierRunsOfTheOwnerThatLastedLongerAreTheMeasure() {
    assertThat(leavesIn(pod("nightly", 0, null, null)))
        .as("what is left of 10 20 30 40 100 on average")
        .isEqualTo(Duration.ofMinutes(40));
    assertThat(leavesIn(pod("nightly", 10, null, null)))
        .as("of 20 30 40 100")
        .isEqualTo(Duration.ofSeconds(37 * 60 + 30));
  }

  @Test
  void theFewerRunsLastedAsLongTheMoreItMayTakeAsLongAgain() {
    assertThat(leavesIn(pod("nightly", 70, null, null)))
        .as("100 leaves 30, and two runs' worth of doubt say 70")
        .isEqualTo(Duration.ofSeconds((30 * 60 + 2 * 70 * 60) / 3));
  }

  @Test
  void aPodOlderThanAllRunsMayTakeAsLongAgain() {
    assertThat(leavesIn(pod("nightly", 200, null, null))).isEqualTo(Duration.ofMinutes(200));
    assertThat(leavesIn(pod("unknown", 17, null, null))).isEqualTo(Duration.ofMinutes(17));
    assertThat(leavesIn(pod("unknown", 0, null, null)))
        .as("what has just begun is not about to end")
        .isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void aDeadlineBoundsWhatHistorySays() {
    assertThat(leavesIn(pod("nightly", 0, 30L, null))).isEqualTo(Duration.ofMinutes(30));
    assertThat(leavesIn(pod("nightly", 0, 90L, null))).isEqualTo(Duration.ofMinutes(40));
    assertThat(leavesIn(pod("nightly", 200, 500L, null)))
        .as("history has nothing to say")
        .isEqualTo(Duration.ofMinutes(500));
  }

  @Test
  void theEnginesRangeBoundsEverything() {
    RunningPod job = pod("nightly", 0, null, null);

    assertThat(load(45L, null, job).leavesIn(HISTORY, NOW)).isEqualTo(Duration.ofMinutes(45));
    assertThat(load(1L, null, job).leavesIn(HISTORY, NOW)).isEqualTo(Duration.ofMinutes(40));
    assertThat(load(1L, 10L, job).leavesIn(HISTORY, NOW))
        .as("evicted by then")
        .isEqualTo(Duration.ofMinutes(10));
    assertThat(load(2L, 10L).leavesIn(HISTORY, NOW)).isEqualTo(Duration.ofMinutes(2));
  }

  private static Duration leavesIn(RunningPod pod) {
    return load(null, null, pod).leavesIn(HISTORY, NOW);
  }

  private static NodeLoad load(@Nullable Long atLeast, @Nullable Long atMost, RunningPod... pods) {
    Optional<Eta> eta =
        Optional.ofNullable(atLeast)
            .map(
                least ->
                    new Eta(
                        Duration.ofMinutes(least),
                        Optional.ofNullable(atMost).map(Duration::ofMinutes)));
    return new NodeLoad(eta, List.of(pods));
  }

  private static RunningPod pod(
      String owner, long age, @Nullable Long jobDeadline, @Nullable Long slurmDeadline) {
    return new RunningPod(
        owner,
        at(-age),
        Optional.ofNullable(jobDeadline).map(TestCampaignFacts::at),
        Optional.ofNullable(slurmDeadline).map(TestCampaignFacts::at));
  }

  private static List<Duration> minutes(long... minutes) {
    return Arrays.stream(minutes).mapToObj(Duration::ofMinutes).toList();
  }
}
