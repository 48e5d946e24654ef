package dev.drydock.drain.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.Json;
import dev.drydock.kube.KubeAnswer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AdaptiveConcurrencyTest {
  private static final KubeAnswer GOOD = new KubeAnswer(201, Json.object(), Optional.empty());

  private final Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
  private final AdaptiveConcurrency concurrency = new AdaptiveConcurrency(20, clock);

  private void pass(KubeAnswer answer) throws InterruptedException {
    concurrency.enter();
    concurrency.leave(answer);
  }

  @Test
  void growsWithGoodAnswersUpToTheCeiling() throws InterruptedException {
    int before = concurrency.limit();

    pass(GOOD);
    assertThat(concurrency.limit()).isEqualTo(before + 1);

    for (int i = 0; i < 50; i++) {
      pass(GOOD);
    }
    assertThat(concurrency.limit()).isEqualTo(20);
  }

  @Test
  void halvesWhenTheServerIsInTroubleButNeverStops() throws InterruptedException {
    int before = concurrency.limit();

    pass(KubeAnswer.none("lost"));
    assertThat(concurrency.limit()).isEqualTo(before / 2);

    for (int i = 0; i < 10; i++) {
      pass(new KubeAnswer(503, Json.object(), Optional.empty()));
    }
    assertThat(concurrency.limit()).isEqualTo(1);
  }

  @Test
  void aBudgetsRefusalIsNoTrouble() throws InterruptedException {
    int before = concurrency.limit();

    pass(new KubeAnswer(429, Json.object(), Optional.empty()));

    assertThat(concurrency.limit()).isGreaterThan(before);
  }

  @Test
  void nobodyEntersBeforeTheTimeTheServerNamed() throws InterruptedException {
    pass(new KubeAnswer(429, Json.object(), Optional.of(Duration.ofHours(1))));

    CompletableFuture<Void> entered = new CompletableFuture<>();
    Thread thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    concurrency.enter();
                    entered.complete(null);
                  } catch (InterruptedException stopped) {
                    entered.cancel(false);
                  }
                });
    org.awaitility.Awaitility.await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);

    assertThat(entered).isNotDone();
    thread.interrupt();
    thread.join();
    assertThat(entered).isCancelled();
  }
}
