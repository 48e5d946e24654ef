package dev.drydock.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Facts are texts here: a namespace, a slash, and what can be dropped. */
class WatchBoundTest {
  private final WatchBound<String> bound =
      new WatchBound<>(
          80,
          fact -> fact.length() - fact.indexOf('/') - 1,
          fact -> fact.substring(0, fact.indexOf('/') + 1),
          fact -> fact.endsWith("/"));
  private final WatchBound.Tally<String> tally =
      new WatchBound.Tally<>(Optional.of(bound), fact -> fact.substring(0, fact.indexOf('/')));

  @Test
  void oneGroupThatTakesTooMuchLeavesTheOthersTheirRoom() {
    assertThat(tally.add("greedy/12345")).isEqualTo("greedy/12345");
    assertThat(tally.add("greedy/123456")).isEqualTo("greedy/");
    assertThat(tally.add("greedy/12345")).isEqualTo("greedy/12345");
    assertThat(tally.add("other/1234567890")).isEqualTo("other/1234567890");

    assertThat(tally.reduced(List.of("greedy/12345", "greedy/", "other/1")))
        .containsExactly("greedy");
  }

  @Test
  void allGroupsTogetherTakeNoMoreThanTheBound() {
    for (int i = 0; i < 8; i++) {
      assertThat(tally.add(i + "/1234567890")).isEqualTo(i + "/1234567890");
    }

    assertThat(tally.add("late/1")).isEqualTo("late/");
  }

  @Test
  void whatIsRemovedMakesRoom() {
    var _ = tally.add("a/1234567890");
    assertThat(tally.add("a/1")).isEqualTo("a/");

    tally.remove("a/1234567890");
    tally.remove("a/");

    assertThat(tally.add("a/1234567890")).isEqualTo("a/1234567890");
  }

  @Test
  void withoutABoundEverythingIsKept() {
    WatchBound.Tally<String> all = new WatchBound.Tally<>(Optional.empty(), _ -> "");

    assertThat(all.add("a/" + "x".repeat(1_000))).hasSize(1_002);
    assertThat(all.reduced(List.of("a/"))).isEmpty();
  }
}
