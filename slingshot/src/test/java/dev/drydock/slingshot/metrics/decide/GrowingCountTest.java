package dev.drydock.slingshot.metrics.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class GrowingCountTest {
  @Test
  void whatIsReadFirstIsShown() {
    assertThat(GrowingCount.first(1523, 7).total()).isEqualTo(1523);
  }

  @Test
  void itGrowsByWhatWasCountedSince() {
    assertThat(GrowingCount.first(100, 7).next(130, 7).next(130, 7).total()).isEqualTo(130);
  }

  @Test
  void aHandlerThatBeginsAgainAddsAllThatItCounts() {
    GrowingCount count = GrowingCount.first(100, 7).next(5, 8);
    assertThat(count.total()).isEqualTo(105);

    assertThat(count.next(6, 8).total()).isEqualTo(106);
    assertThat(GrowingCount.first(100, 7).next(200, 8).total())
        .as("even if it has counted more since")
        .isEqualTo(300);
  }

  @Test
  void aHandlerWithoutAKnownProcessBeginsAgainIfItsCountGoesBack() {
    assertThat(GrowingCount.first(100, 0).next(5, 0).total()).isEqualTo(105);
    assertThat(GrowingCount.first(100, 0).next(120, 0).total()).isEqualTo(120);
    assertThat(GrowingCount.first(100, 7).next(120, 0).total()).isEqualTo(120);
    assertThat(GrowingCount.first(100, 7).next(20, 0).total()).isEqualTo(120);
  }

  /** The vendor's numbers are integers of 32 bits with a sign. */
  @Test
  void aCountThatOverflowsGoesOn() {
    GrowingCount count = GrowingCount.first(Integer.MAX_VALUE, 7).next(Integer.MIN_VALUE, 7);
    assertThat(count.total()).isEqualTo(1L << 31);

    assertThat(count.next(-1, 7).next(4, 7).total()).isEqualTo((1L << 32) + 4);
  }

  @Test
  void inNoHistoryItGoesBackAndWithoutALossItIsExact() {
    Random random = new Random(9);
    for (int round = 0; round < 500; round++) {
      long process = 1;
      long counted = random.nextInt(1 << 30);
      GrowingCount count = GrowingCount.first(signed(counted), process);
      long expected = counted;
      for (int i = 0; i < 50; i++) {
        if (random.nextInt(10) == 0) {
          process++;
          counted = random.nextInt(1000);
          expected += counted;
        } else {
          long more = random.nextInt(1 << 30);
          counted += more;
          expected += more;
        }
        GrowingCount next = count.next(signed(counted), process);
        assertThat(next.total()).isGreaterThanOrEqualTo(count.total()).isEqualTo(expected);
        count = next;
      }
    }
  }

  /** As 32 bits with a sign show it. */
  private static long signed(long counted) {
    return (counted << 32) >> 32;
  }
}
