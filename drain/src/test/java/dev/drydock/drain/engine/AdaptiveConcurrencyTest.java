package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.decide.EvictionAnswer;
import dev.drydock.kube.time.VirtualTime;
import dev.drydock.testkit.ShiftedTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class AdaptiveConcurrencyTest {
  private static final EvictionAnswer GOOD = new EvictionAnswer.Accepted();

  private final VirtualTime time = new VirtualTime(Instant.EPOCH);
  private final AtomicReference<Duration> clockIsAhead = new AtomicReference<>(Duration.ZERO);
  private final AdaptiveConcurrency concurrency =
      new AdaptiveConcurrency(20, new ShiftedTime(time, clockIsAhead));
  private final List<EvictionAnswer> answers = new ArrayList<>();

  private void pass(EvictionAnswer answer) {
    concurrency.submit(() -> answer, answers::add);
    time.advance(Duration.ZERO);
  }

  @Test
  void growsWithGoodAnswersUpToTheCeiling() {
    int before = concurrency.limit();

    pass(GOOD);
    assertThat(concurrency.limit()).isEqualTo(before + 1);

    for (int i = 0; i < 50; i++) {
      pass(GOOD);
    }
    assertThat(concurrency.limit()).isEqualTo(20);
  }

  @Test
  void halvesWhenTheServerIsInTroubleButNeverStops() {
    int before = concurrency.limit();

    pass(new EvictionAnswer.ServerInTrouble("lost"));
    assertThat(concurrency.limit()).isEqualTo(before / 2);

    for (int i = 0; i < 10; i++) {
      pass(new EvictionAnswer.ServerInTrouble("HTTP 503"));
    }
    assertThat(concurrency.limit()).isEqualTo(1);
  }

  @Test
  void aBudgetsRefusalIsNoTrouble() {
    int before = concurrency.limit();

    pass(new EvictionAnswer.RefusedByBudget("no", Optional.of(Duration.ofSeconds(10))));
    answers.clear();

    assertThat(concurrency.limit()).isGreaterThan(before);
    pass(GOOD);
    assertThat(answers).containsExactly(GOOD);
  }

  @Test
  void nobodyEntersBeforeTheTimeTheServerNamed() {
    pass(new EvictionAnswer.Throttled("busy", Duration.ofHours(1)));
    answers.clear();

    pass(GOOD);
    time.advance(Duration.ofMinutes(59));
    assertThat(answers).isEmpty();

    time.advance(Duration.ofMinutes(1));
    assertThat(answers).containsExactly(GOOD);
  }

  @Test
  void aClockThatIsSetBackMakesTheWaitNoLonger() {
    pass(new EvictionAnswer.Throttled("busy", Duration.ofSeconds(10)));
    answers.clear();
    clockIsAhead.set(Duration.ofHours(-5));

    pass(GOOD);
    time.advance(Duration.ofSeconds(10));

    assertThat(answers).containsExactly(GOOD);
  }

  @Test
  void whatIsTooManyWaitsForAPlace() {
    List<Integer> started = new ArrayList<>();
    int limit = concurrency.limit();
    for (int i = 0; i < limit + 1; i++) {
      int number = i;
      concurrency.submit(
          () -> {
            started.add(number);
            // the others begin while this one is under way
            if (number < limit) {
              time.timers().runDue();
            } else {
              assertThat(answers).isNotEmpty();
            }
            return GOOD;
          },
          answers::add);
    }

    time.advance(Duration.ZERO);

    assertThat(started).hasSize(limit + 1);
    assertThat(answers).hasSize(limit + 1);
  }

  @Test
  void aRequestThatCannotBeMadeGivesItsPlaceBack() {
    concurrency.submit(
        () -> {
          throw new IllegalStateException("a bug");
        },
        answers::add);
    time.advance(Duration.ZERO);

    assertThat(answers).singleElement().isInstanceOf(EvictionAnswer.Failed.class);
    for (int i = 0; i < 50; i++) {
      pass(GOOD);
    }
    assertThat(answers).hasSize(51);
  }
}
