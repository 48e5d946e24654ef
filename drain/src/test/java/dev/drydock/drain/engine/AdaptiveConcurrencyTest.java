package dev.drydock.drain.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.Json;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AdaptiveConcurrencyTest {
  private static final KubeAnswer GOOD = new KubeAnswer(201, Json.object(), Optional.empty());

  private final VirtualTime time = new VirtualTime(Instant.EPOCH);
  private final AdaptiveConcurrency concurrency = new AdaptiveConcurrency(20, time);
  private final List<KubeAnswer> answers = new ArrayList<>();

  private void pass(KubeAnswer answer) {
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

    pass(KubeAnswer.none("lost"));
    assertThat(concurrency.limit()).isEqualTo(before / 2);

    for (int i = 0; i < 10; i++) {
      pass(new KubeAnswer(503, Json.object(), Optional.empty()));
    }
    assertThat(concurrency.limit()).isEqualTo(1);
  }

  @Test
  void aBudgetsRefusalIsNoTrouble() {
    int before = concurrency.limit();

    pass(new KubeAnswer(429, Json.object(), Optional.empty()));

    assertThat(concurrency.limit()).isGreaterThan(before);
  }

  @Test
  void nobodyEntersBeforeTheTimeTheServerNamed() {
    pass(new KubeAnswer(429, Json.object(), Optional.of(Duration.ofHours(1))));
    answers.clear();

    pass(GOOD);
    time.advance(Duration.ofMinutes(59));
    assertThat(answers).isEmpty();

    time.advance(Duration.ofMinutes(1));
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

    assertThat(answers)
        .singleElement()
        .satisfies(answer -> assertThat(answer.unanswered()).isTrue());
    for (int i = 0; i < 50; i++) {
      pass(GOOD);
    }
    assertThat(answers).hasSize(51);
  }
}
