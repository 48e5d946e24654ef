package dev.drydock.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.time.TimeSource;
import dev.drydock.kube.time.VirtualTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ControlLoopTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final VirtualTime time = new VirtualTime(START);
  private final Kube kube =
      new Kube(
          new KubeHttp(new NoTransport(), RequestInterceptor.NONE, 0, Duration.ofSeconds(1)), time);
  private final List<String> steps = new ArrayList<>();

  /** Simulates the death of the process. */
  private static final class ProcessDeath extends Error {}

  private void pass(Duration duration) {
    time.advance(duration);
  }

  private String stamp() {
    return Duration.between(START, time.now()).toString();
  }

  @Test
  void stepsWhenWokenAndWhenTheLastStepAskedForIt() {
    ControlLoop loop =
        kube.loop(
            "things",
            () -> {
              steps.add(stamp());
              return steps.size() == 1 ? time.now().plusSeconds(10) : Instant.MAX;
            });

    pass(Duration.ofSeconds(5));
    assertThat(steps).isEmpty();
    loop.wake();
    loop.wake();
    pass(Duration.ofHours(1));

    assertThat(steps).containsExactly("PT5S", "PT15S");
    loop.wake();
    pass(Duration.ZERO);
    assertThat(steps).hasSize(3);
  }

  @Test
  void aWakeUpDuringAStepLeadsToOneMore() {
    ControlLoop[] loop = new ControlLoop[1];
    loop[0] =
        kube.loop(
            "things",
            () -> {
              steps.add(stamp());
              if (steps.size() == 1) {
                loop[0].wake();
                loop[0].wake();
              }
              return Instant.MAX;
            });

    loop[0].wake();
    pass(Duration.ofHours(1));

    assertThat(steps).hasSize(2);
  }

  @Test
  void gathersWakeUpsThatComeTogether() {
    ControlLoop loop =
        kube.loop(
            "things",
            "",
            ControlLoop.Debounce.fixed(Duration.ofMillis(50)),
            () -> {
              steps.add(stamp());
              return Instant.MAX;
            });

    loop.wake();
    pass(Duration.ofMillis(20));
    loop.wake();
    pass(Duration.ofMillis(29));
    assertThat(steps).isEmpty();
    pass(Duration.ofMillis(1));

    assertThat(steps).containsExactly("PT0.05S");
  }

  @Test
  void aFailedRequestIsTriedAgainAndAtOnceIfSomethingChanges() {
    ControlLoop loop =
        kube.loop(
            "things",
            () -> {
              steps.add(stamp());
              if (steps.size() < 3) {
                throw new ApiFailure(500, "etcd is away");
              }
              return Instant.MAX;
            });

    loop.wake();
    pass(Duration.ZERO);
    assertThat(kube.health().degraded()).containsExactly("things: etcd is away");
    loop.wake();
    pass(Duration.ZERO);
    assertThat(steps).hasSize(2);
    pass(Duration.ofMinutes(1));

    assertThat(steps).hasSize(3);
    assertThat(kube.health().degraded()).isEmpty();
    assertThat(kube.health().loops().getFirst().failures()).isZero();
    assertThat(kube.health().loops().getFirst().retries()).isEqualTo(2);
  }

  @Test
  void aStepThatWakesItselfAndFailsComesToRest() {
    ControlLoop[] loop = new ControlLoop[1];
    loop[0] =
        kube.loop(
            "things",
            () -> {
              steps.add(stamp());
              loop[0].wake();
              throw new ApiFailure(403, "not yours");
            });

    loop[0].wake();
    pass(Duration.ofMinutes(1));

    assertThat(steps.size()).isBetween(5, 100);
  }

  @Test
  void aBugIsCountedShownAndTriedAgainAfterABackOff() {
    boolean[] broken = {true};
    ControlLoop loop =
        kube.loop(
            "things",
            () -> {
              steps.add(stamp());
              if (broken[0]) {
                throw new IllegalStateException("a field nobody thought of");
              }
              return Instant.MAX;
            });

    loop.wake();
    pass(Duration.ZERO);
    for (int i = 0; i < 100; i++) {
      loop.wake();
      pass(Duration.ZERO);
    }
    assertThat(steps).as("wake-ups do not cut the back-off short").hasSize(1);
    pass(Duration.ofMinutes(5));
    assertThat(steps.size()).isBetween(10, 100);
    assertThat(kube.health().loops().getFirst().failures()).isEqualTo(steps.size());
    assertThat(kube.health().degraded())
        .singleElement()
        .asString()
        .contains("things: unexpected exception", "a field nobody thought of");
    assertThat(kube.health().stuck()).isEmpty();

    broken[0] = false;
    pass(Duration.ofMinutes(1));
    assertThat(kube.health().degraded()).isEmpty();
  }

  @Test
  void anObjectThatFailsAfterItsLoopWasClosedIsNotShown() {
    StepObjects turns = kube.stepObjects("things");
    assertThat(
            turns.run(
                "a",
                () -> {
                  turns.close(); // as when the Lease is lost during a step
                  throw new IllegalStateException("too late");
                }))
        .isFalse();

    assertThat(kube.health().degraded()).isEmpty();
  }

  @Test
  void bugsInDifferentPlacesAreOfDifferentKindsThoughALibraryThrows() {
    Throwable one = thrownBy(() -> Integer.parseInt("one"));
    Throwable two = thrownBy(() -> Integer.parseInt("two"));

    assertThat(one.getStackTrace()[0]).isEqualTo(two.getStackTrace()[0]);
    assertThat(LoopHealth.kindOf(one))
        .isEqualTo(LoopHealth.kindOf(one))
        .isNotEqualTo(LoopHealth.kindOf(two));
  }

  private static Throwable thrownBy(Supplier<Object> code) {
    return Bugs.<Throwable, RuntimeException>call(
        () -> new AssertionError("returned " + code.get()), bug -> bug);
  }

  @Test
  void aResyncWakesEveryLoopThatWasEverWoken() {
    ControlLoop loop = kube.loop("things", () -> step("loop"));
    kube.loop("others", () -> step("never woken"));
    ControlLoops<String> loops =
        kube.loops(
            "keys",
            key ->
                () -> {
                  return Optional.of(step(key));
                });
    loop.wake();
    loops.wake("key");
    pass(Duration.ZERO);
    steps.clear();

    try (ControlLoop _ = kube.resync(Duration.ofHours(1))) {
      pass(Duration.ZERO);
      assertThat(steps).containsExactlyInAnyOrder("loop", "key");
      pass(Duration.ofHours(2));
      assertThat(steps).hasSize(6);
    }
    pass(Duration.ofHours(2));
    assertThat(steps).hasSize(6);
  }

  private Instant step(String name) {
    steps.add(name);
    return Instant.MAX;
  }

  @Test
  void aLoopThatDoesNotComeBackFromAStepIsStuck() {
    ControlLoop loop =
        kube.loop(
            "things",
            "node-1",
            () -> {
              throw new ProcessDeath(); // stands for a step that never ends
            });

    loop.wake();
    try {
      pass(Duration.ZERO);
    } catch (ProcessDeath expected) {
      steps.add("died");
    }
    assertThat(steps).containsExactly("died");
    pass(Duration.ofMinutes(1));
    assertThat(kube.health().stuck()).isEmpty();
    pass(Duration.ofMinutes(2));

    assertThat(kube.health().stuck())
        .containsExactly("things node-1: no progress since 2026-01-01T00:00:00Z");
    loop.close();
    assertThat(kube.health().stuck()).isEmpty();
  }

  @Test
  void aClockThatIsSetMakesNoLoopStuckAndDelaysNoRetry() {
    AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    Kube wrong = new Kube(kube.http(), new WrongClock(time, ahead));
    ControlLoop waiting = wrong.loop("waiting", () -> wrong.time().now().plusSeconds(600));
    ControlLoop buggy =
        wrong.loop(
            "buggy",
            () -> {
              steps.add(stamp());
              throw new IllegalStateException("a bug");
            });
    waiting.wake();
    buggy.wake();
    pass(Duration.ofMinutes(1));

    ahead.set(Duration.ofHours(1));
    assertThat(wrong.health().stuck()).isEmpty();
    ahead.set(Duration.ofHours(-1));
    steps.clear();
    buggy.wake();
    pass(Duration.ofMinutes(1));

    assertThat(steps).hasSizeGreaterThan(3);
    assertThat(wrong.health().stuck()).isEmpty();
  }

  /** A clock that is set while timers go on. */
  private record WrongClock(VirtualTime time, AtomicReference<Duration> ahead)
      implements TimeSource {
    @Override
    public Clock clock() {
      return Clock.offset(time, ahead.get());
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

  @Test
  void aClosedLoopStepsNoMore() {
    ControlLoop loop =
        kube.loop(
            "things",
            () -> {
              steps.add(stamp());
              return time.now().plusSeconds(1);
            });
    loop.wake();
    pass(Duration.ofMillis(1500));
    loop.close();
    loop.wake();
    pass(Duration.ofHours(1));

    assertThat(steps).hasSize(2);
  }

  /** As a process that no longer leads: what it had queued is not sent. */
  @Test
  void aStepWhoseLoopIsClosedMeanwhileSendsNothingMore() {
    List<String> sent = new ArrayList<>();
    AtomicReference<ControlLoop> loop = new AtomicReference<>();
    KubeHttp http =
        new KubeHttp(
            new NoTransport() {
              @Override
              public KubeAnswer send(ApiCall call, Duration answerWithin) {
                sent.add(call.path());
                Thread closer = Thread.ofVirtual().start(() -> loop.get().close());
                try {
                  closer.join();
                } catch (InterruptedException stopped) {
                  Thread.currentThread().interrupt();
                }
                return new KubeAnswer(200, Json.object(), Optional.empty());
              }
            },
            RequestInterceptor.NONE,
            0,
            Duration.ofSeconds(1));
    loop.set(
        kube.loop(
            "things",
            () -> {
              var _ = http.send(ApiCall.mergePatch("/first", "{}"));
              steps.add(http.send(ApiCall.mergePatch("/second", "{}")).message());
              return Instant.MAX;
            }));
    loop.get().wake();
    pass(Duration.ofSeconds(1));

    assertThat(sent).containsExactly("/first");
    assertThat(steps).hasSize(1);
  }

  @Test
  void oneKeyThatFailsHoldsUpNoOther() {
    ControlLoops<String> loops =
        kube.loops(
            "things",
            key ->
                () -> {
                  steps.add(key);
                  if (key.equals("bad")) {
                    throw new NullPointerException("bad");
                  }
                  return Optional.of(Instant.MAX);
                });

    for (String key : List.of("a", "bad", "b")) {
      loops.wake(key);
    }
    pass(Duration.ofMillis(1));
    assertThat(steps).containsExactly("a", "bad", "b");
    loops.wake("a");
    pass(Duration.ofMillis(1));
    assertThat(steps).containsExactly("a", "bad", "b", "a");
    assertThat(kube.health().degraded())
        .singleElement()
        .asString()
        .contains("things bad: unexpected exception");
  }

  @Test
  void aKeyWithNothingLeftIsForgottenUnlessItWasWokenMeanwhile() {
    Set<String> closed = new HashSet<>();
    boolean[] wakeOnce = {true};
    List<ControlLoops<String>> self = new ArrayList<>();
    ControlLoops<String> loops =
        kube.loops(
            "things",
            key ->
                new ControlLoops.Reconciler() {
                  @Override
                  public Optional<Instant> step() {
                    steps.add(key);
                    if (wakeOnce[0]) {
                      wakeOnce[0] = false;
                      self.getFirst().wake(key);
                    }
                    return Optional.empty();
                  }

                  @Override
                  public void close() {
                    closed.add(key);
                  }
                });
    self.add(loops);

    loops.wake("a");
    pass(Duration.ofMillis(1));

    assertThat(steps).containsExactly("a", "a");
    assertThat(loops.keys()).isEmpty();
    assertThat(closed).containsExactly("a");
    loops.wake("a");
    pass(Duration.ofMillis(1));
    assertThat(steps).hasSize(3);
  }
}
