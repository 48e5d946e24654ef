package dev.drydock.edge.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.edge.decide.RequestDecider.Now;
import dev.drydock.edge.decide.RequestDecider.Presence;
import dev.drydock.edge.decide.RequestDecider.Request;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A request counts while somebody waits for it. */
class RequestDeciderTest {
  private static final Duration ASKED = Duration.ofHours(5);
  private static final Request REQUEST =
      new Request(
          "boot", Optional.of(new RequestAsker(4711, 9, "pid:[1]", ASKED, Duration.ofSeconds(60))));

  private static Optional<String> refusal(Presence presence, Duration age) {
    return RequestDecider.refusal(REQUEST, new Now("boot", ASKED.plus(age), presence));
  }

  @ParameterizedTest
  @ValueSource(longs = {-3600, 0, 61, 86400})
  void itCountsAsLongAsItsProcessRunsHoweverOldItIs(long seconds) {
    assertThat(refusal(Presence.RUNS, Duration.ofSeconds(seconds))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {-3600, 0, 1, 86400})
  void itIsRefusedOnceItsProcessHasEndedHoweverRecentItIs(long seconds) {
    assertThat(refusal(Presence.ENDED, Duration.ofSeconds(seconds)))
        .contains("process 4711 ended before an agent took it");
  }

  @Test
  void fromAProcessThatCannotBeSeenItCountsForAsLongAsThatWaits() {
    assertThat(refusal(Presence.UNSEEN, Duration.ZERO)).isEmpty();
    assertThat(refusal(Presence.UNSEEN, Duration.ofSeconds(60))).isEmpty();
    assertThat(refusal(Presence.UNSEEN, Duration.ofSeconds(61)))
        .contains("it is 61 s old, and process 4711 waited for 60 s");
    assertThat(refusal(Presence.UNSEEN, Duration.ofSeconds(-1))).isPresent();
  }

  @ParameterizedTest
  @EnumSource(Presence.class)
  void oneOfAnotherBootIsRefusedAlsoIfAProcessIsLikeTheOneThatAsked(Presence presence) {
    assertThat(RequestDecider.refusal(REQUEST, new Now("later", ASKED, presence)))
        .contains("the machine has been restarted since");
  }

  @ParameterizedTest
  @EnumSource(Presence.class)
  void oneThatDoesNotSayWhoAskedIsRefused(Presence presence) {
    assertThat(
            RequestDecider.refusal(
                new Request("boot", Optional.empty()), new Now("boot", ASKED, presence)))
        .contains("it does not say which process asked");
  }
}
