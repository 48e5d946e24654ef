package dev.drydock.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.kube.time.VirtualTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How often a server is asked that answers lists but ends every watch, in virtual time. */
class WatchRetryTest {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private Duration ahead = Duration.ZERO;
  private int lists;
  private int opened;

  /** Sent by each watch before it ends. */
  private int changes;

  private int version = 1;

  /** How each watch ends, and after which time. */
  private record Ending(Duration after, int code, Optional<String> broken) {}

  private Ending ending = new Ending(Duration.ZERO, 200, Optional.of("the connection broke"));

  private Kube watching() {
    return watching(Backoff.DEFAULT);
  }

  private Kube watching(Backoff backoff) {
    KubeHttp http =
        new KubeHttp(new FailingWatches(), RequestInterceptor.NONE, 500, KubeHttp.ANSWER_WITHIN);
    Kube kube = new Kube(http, new WrongClock());
    kube.watches()
        .of(
            Watch.Kind.of(new Source("/things", ""), Object::toString),
            Watch.Listener.waking(() -> {}),
            backoff)
        .start();
    return kube;
  }

  @Test
  void aWatchThatFailsAfterEverySuccessfulListIsRetriedEverMoreSlowly() {
    try (Kube kube = watching()) {
      time.advance(Duration.ofMinutes(10));

      assertThat(lists).isBetween(60, 140);
      assertThat(opened).isEqualTo(lists);
      assertThat(kube.health().unsynced()).singleElement().asString().contains("connection broke");
    }
  }

  @Test
  void soIsOneThatTheServerEndsAtOnceInOrderOrAsTooOld() {
    for (int code : new int[] {200, 410}) {
      opened = 0;
      ending = new Ending(Duration.ZERO, code, Optional.empty());
      try (Kube _ = watching()) {
        time.advance(Duration.ofMinutes(10));

        assertThat(opened).as("answer %d", code).isBetween(60, 140);
      }
    }
  }

  @Test
  void oneThatFailsNowAndThenIsRetriedAtOnce() {
    ending = new Ending(Duration.ofSeconds(30), 200, Optional.of("the connection broke"));
    try (Kube _ = watching()) {
      time.advance(Duration.ofMinutes(10));

      assertThat(opened).isBetween(19, 21);
    }
  }

  @Test
  void soIsOneWithALongBackOff() {
    for (Optional<String> broken :
        List.of(Optional.<String>empty(), Optional.of("the connection broke"))) {
      opened = 0;
      ending = new Ending(Duration.ofSeconds(30), 200, broken);
      try (Kube _ = watching(new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1)))) {
        time.advance(Duration.ofMinutes(10));

        assertThat(opened).as("%s", broken).isBetween(19, 21);
      }
    }
  }

  @Test
  void oneThatTheServerEndsAfterABurstOfChangesIsResumedAtOnce() {
    ending = new Ending(Duration.ofSeconds(1), 200, Optional.empty());
    changes = 10;
    try (Kube _ = watching()) {
      time.advance(Duration.ofMinutes(1));

      assertThat(opened).isBetween(59, 61);
      assertThat(lists).isEqualTo(1);
    }
  }

  @Test
  void aClockThatIsSetBackDelaysNoRetry() {
    try (Kube _ = watching()) {
      time.advance(Duration.ofMinutes(1));
      ahead = Duration.ofDays(-1);
      int before = opened;
      time.advance(Duration.ofMinutes(1));

      assertThat(opened).isGreaterThan(before + 4);
    }
  }

  private final class FailingWatches implements Transport {
    @Override
    public KubeAnswer send(ApiCall call, Duration answerWithin) {
      lists++;
      return answer(200);
    }

    private ObjectNode change() {
      ObjectNode change = Json.object().put("type", "MODIFIED");
      change
          .putObject("object")
          .putObject("metadata")
          .put("uid", "1")
          .put("resourceVersion", Integer.toString(++version));
      return change;
    }

    private KubeAnswer answer(int code) {
      var body = Json.object();
      body.putObject("metadata").put("resourceVersion", "1");
      body.putArray("items");
      return new KubeAnswer(code, body, Optional.empty());
    }

    @Override
    public Stream watch(ApiCall call, Duration answerWithin, Duration lasts, Events events) {
      opened++;
      TimeSource.Timer end =
          time.schedule(
              ending.after(),
              () -> {
                for (int i = 0; i < changes; i++) {
                  var _ = events.event(change());
                }
                events.ended(answer(ending.code()), ending.broken());
              });
      return end::cancel;
    }

    @Override
    public void close() {}
  }

  private final class WrongClock implements TimeSource {
    @Override
    public Clock clock() {
      return Clock.offset(time.clock(), ahead);
    }

    @Override
    public Duration elapsed() {
      return time.elapsed();
    }

    @Override
    public Timer schedule(Duration delay, Runnable work) {
      return time.schedule(delay, work);
    }
  }
}
