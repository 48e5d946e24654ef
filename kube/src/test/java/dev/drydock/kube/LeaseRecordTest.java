package dev.drydock.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseRecordTest {
  private static final Duration DEFAULT = Duration.ofSeconds(15);

  private static LeaseRecord held(int seconds) {
    return new LeaseRecord("other", Duration.ofSeconds(seconds), 0);
  }

  private static boolean isFree(LeaseRecord lease, int unchangedSeconds) {
    return lease.isFreeFor("me", Duration.ofSeconds(unchangedSeconds), DEFAULT);
  }

  @Test
  void isFreeWhenNobodyHoldsItOrTheCandidateItself() {
    assertThat(isFree(new LeaseRecord("", DEFAULT, 0), 0)).isTrue();
    assertThat(isFree(new LeaseRecord("me", DEFAULT, 0), 0)).isTrue();
    assertThat(isFree(held(15), 0)).isFalse();
  }

  @Test
  void isFreeWhenItDidNotChangeForAsLongAsItLasts() {
    assertThat(isFree(held(15), 14)).isFalse();
    assertThat(isFree(held(15), 15)).isTrue();
    assertThat(isFree(held(30), 29)).isFalse();
    assertThat(isFree(held(30), 30)).isTrue();
  }

  @Test
  void whatItSaysOfItselfNeitherShortensNorStretchesTheWaitForEver() {
    assertThat(isFree(held(0), 14)).isFalse();
    assertThat(isFree(held(1), 14)).isFalse();
    assertThat(isFree(held(Integer.MAX_VALUE), 59)).isFalse();
    assertThat(isFree(held(Integer.MAX_VALUE), 60)).isTrue();
  }

  @Test
  void theCountOfTransitionsStartsOverBeforeItOverflows() {
    assertThat(new LeaseRecord("other", DEFAULT, 3).nextTransition()).isEqualTo(4);
    assertThat(new LeaseRecord("other", DEFAULT, Integer.MAX_VALUE).nextTransition()).isEqualTo(1);
  }
}
