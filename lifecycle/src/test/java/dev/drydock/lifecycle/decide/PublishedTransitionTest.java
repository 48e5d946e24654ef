package dev.drydock.lifecycle.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.lifecycle.decide.PublishedTransition.Need;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PublishedTransitionTest {
  private static final PublishedTransition OURS =
      new PublishedTransition("start", "end", "driver", Duration.ofMinutes(5));

  @Test
  void isWrittenOnceAndNotAgainWhenSomebodyDeletesIt() {
    assertThat(OURS.need(Optional.empty(), false)).isEqualTo(Need.WRITE);
    assertThat(OURS.need(Optional.empty(), true)).isEqualTo(Need.NOTHING);
  }

  @Test
  void isPutBackWheneverItIsPointedElsewhere() {
    for (boolean published : new boolean[] {false, true}) {
      assertThat(need("evil", "end", "driver", 5, published)).isEqualTo(Need.WRITE);
      assertThat(need("start", "evil", "driver", 5, published)).isEqualTo(Need.WRITE);
      assertThat(need("start", "end", "evil", 5, published)).isEqualTo(Need.WRITE);
      assertThat(need("start", "end", "driver", 5, published)).isEqualTo(Need.NOTHING);
    }
  }

  @Test
  void itsTimeIsOnlyWrittenAtTheStart() {
    assertThat(need("start", "end", "driver", 9, false)).isEqualTo(Need.WRITE_TIME);
    assertThat(need("start", "end", "driver", 9, true)).isEqualTo(Need.NOTHING);
  }

  private static Need need(
      String start, String end, String driver, long minutes, boolean published) {
    return OURS.need(
        Optional.of(
            new TransitionFacts(
                new LifecycleRef(LifecycleNames.OWN_GROUP, "t"),
                "uid",
                false,
                start,
                end,
                new NodeCoverage.AllNodes(),
                Optional.of(Duration.ofMinutes(minutes)),
                driver)),
        published);
  }
}
