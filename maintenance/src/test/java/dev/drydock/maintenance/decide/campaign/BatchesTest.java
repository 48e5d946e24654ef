package dev.drydock.maintenance.decide.campaign;

import static dev.drydock.maintenance.decide.campaign.TestCampaignFacts.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.maintenance.decide.campaign.Batches.Canary;
import dev.drydock.maintenance.decide.campaign.Batches.Growth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BatchesTest {
  private static final Growth DOUBLING = new Growth(1, 2, 5);

  @Test
  void withoutRulesThereIsNoLimit() {
    assertThat(room(Batches.NONE, 3, 3)).isEqualTo("" + Integer.MAX_VALUE);
  }

  @Test
  void batchesGrowUntilTheirLargest() {
    Batches batches = growing(DOUBLING);
    List<String> sizes = new ArrayList<>();
    int left = 0;
    while (left < 30) {
      String size = room(batches, left, 0);
      sizes.add(size);
      left += Integer.parseInt(size);
    }

    assertThat(sizes).startsWith("1", "2", "4", "5", "5", "5");
  }

  @Test
  void aBatchOpensWhenAllBeforeItAreOver() {
    Batches batches = growing(DOUBLING);

    assertThat(room(batches, 1, 1)).isEqualTo("BATCH_RUNNING");
    assertThat(room(batches, 1, 0)).isEqualTo("2");
    assertThat(room(batches, 2, 1)).as("one of the second batch is out").isEqualTo("1");
    assertThat(room(batches, 3, 1)).isEqualTo("BATCH_RUNNING");
    assertThat(room(batches, 3, 0)).isEqualTo("4");
  }

  @Test
  void fractionsAreRoundedDownAndOneKeepsTheSize() {
    assertThat(List.of(0, 1, 2, 3, 4).stream().map(new Growth(1, 1.5, 99)::size))
        .containsExactly(1, 1, 2, 3, 5);
    assertThat(new Growth(3, 1, 99).size(1000)).isEqualTo(3);
    assertThat(new Growth(1, 2, Integer.MAX_VALUE).size(500)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void canaryNodesGoFirstAndAreWatched() {
    Batches batches =
        new Batches(
            Optional.of(new Canary(2, false, Duration.ofMinutes(10))), Optional.of(DOUBLING));

    assertThat(room(batches, 0, 0)).isEqualTo("2");
    assertThat(room(batches, 1, 1)).isEqualTo("1");
    assertThat(room(batches, 2, 1)).isEqualTo("CANARY_RUNNING");
    assertThat(room(batches, 2, 0)).as("back at minute 1").isEqualTo("CANARY_SOAK");
    Batches.Room soaking = batches.room(progress(2, 0), 100, at(10));
    assertThat(soaking.why().flatMap(DepartureWait::until)).contains(at(11));
    assertThat(batches.room(progress(2, 0), 100, at(11)).nodes()).isEqualTo(1);
    assertThat(batches.room(progress(3, 1), 100, at(12)).why().map(DepartureWait::reason))
        .contains(WaitReason.BATCH_RUNNING);
    assertThat(batches.room(progress(3, 0), 100, at(12)).nodes()).isEqualTo(2);
  }

  @Test
  void afterTheCanaryAloneThereIsNoLimit() {
    Batches batches =
        new Batches(Optional.of(new Canary(1, false, Duration.ZERO)), Optional.empty());

    assertThat(room(batches, 1, 1)).isEqualTo("CANARY_RUNNING");
    assertThat(room(batches, 1, 0)).isEqualTo("" + Integer.MAX_VALUE);
    assertThat(room(batches, 2, 2)).isEqualTo("" + Integer.MAX_VALUE);
  }

  @Test
  void aShareOfTheNodesIsRoundedUp() {
    Canary tenth = new Canary(10, true, Duration.ZERO);

    assertThat(List.of(tenth.size(1), tenth.size(10), tenth.size(11), tenth.size(100)))
        .containsExactly(1, 1, 2, 10);
  }

  @Test
  void whoLeftFirstIsTheCanary() {
    Batches batches =
        new Batches(Optional.of(new Canary(2, false, Duration.ZERO)), Optional.empty());

    assertThat(
            batches.canaries(
                Map.of(
                    "late", NodeProgress.failed(at(5), at(6), ""),
                    "n-10", NodeProgress.failed(at(1), at(6), ""),
                    "n-2", NodeProgress.failed(at(1), at(6), ""),
                    "first", NodeProgress.done(at(0), at(6))),
                100))
        .containsExactlyInAnyOrder("first", "n-2");
    assertThat(Batches.NONE.canaries(Map.of("x", NodeProgress.failed(at(0), at(1), "")), 9))
        .isEmpty();
  }

  private static Batches growing(Growth growth) {
    return new Batches(Optional.empty(), Optional.of(growth));
  }

  /** How many may leave, or why none may, at minute 1. */
  private static String room(Batches batches, int left, int out) {
    Batches.Room room = batches.room(progress(left, out), 100, at(1));
    return room.why().map(wait -> wait.reason().name()).orElse("" + room.nodes());
  }

  private static List<NodeProgress> progress(int left, int out) {
    List<NodeProgress> all = new ArrayList<>();
    for (int i = 0; i < left; i++) {
      all.add(i < out ? NodeProgress.inFlight(at(0)) : NodeProgress.done(at(0), at(1)));
    }
    return all;
  }
}
