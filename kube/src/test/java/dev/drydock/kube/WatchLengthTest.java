package dev.drydock.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.time.TimeSource;
import dev.drydock.kube.time.VirtualTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** How long watches stay open, in virtual time. */
class WatchLengthTest {
  private static final Pattern SECONDS = Pattern.compile("timeoutSeconds=(\\d+)");

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));

  /** By source, in the order in which they were opened. */
  private final Map<String, List<Duration>> lengths = new LinkedHashMap<>();

  @Test
  void aWatchEndsAfterARandomTimeOfFiveToTenMinutes() {
    Kube kube =
        new Kube(
            new KubeHttp(new EndingWatches(), RequestInterceptor.NONE, 500, KubeHttp.ANSWER_WITHIN),
            new SeededTime(time, new Random(1)));
    for (int i = 0; i < 20; i++) {
      kube.watches()
          .of(
              Watch.Kind.of(new Source("/things-" + i, ""), object -> object.toString()),
              Watch.Listener.waking(() -> {}))
          .start();
    }

    time.advance(Duration.ofHours(6));

    List<Duration> all = lengths.values().stream().flatMap(List::stream).toList();
    assertThat(lengths).hasSize(20);
    assertThat(all)
        .hasSizeGreaterThan(20 * 36)
        .allSatisfy(
            length -> assertThat(length).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(10)));
    assertThat(lengths.values()).as("of one source").allSatisfy(WatchLengthTest::differ);
    differ(lengths.values().stream().map(List::getFirst).toList());
    kube.close();
  }

  private static void differ(List<Duration> some) {
    assertThat(new HashSet<>(some)).hasSizeGreaterThan(some.size() / 2);
  }

  /** A server that has nothing to say and ends each watch when it was asked to. */
  private final class EndingWatches implements Transport {
    @Override
    public KubeAnswer send(ApiCall call, Duration answerWithin) {
      return answer();
    }

    private KubeAnswer answer() {
      var body = Json.object();
      body.putObject("metadata").put("resourceVersion", "1");
      body.putArray("items");
      return new KubeAnswer(200, body, Optional.empty());
    }

    @Override
    public Stream watch(ApiCall call, Duration answerWithin, Duration lasts, Events events) {
      Matcher seconds = SECONDS.matcher(call.path());
      assertThat(seconds.find()).as(call.path()).isTrue();
      Duration length = Duration.ofSeconds(Long.parseLong(seconds.group(1)));
      assertThat(lasts).as("the client's own limit").isGreaterThan(length);
      String source = call.path().replaceFirst("\\?.*", "");
      lengths.computeIfAbsent(source, _ -> new ArrayList<>()).add(length);
      TimeSource.Timer end = time.schedule(length, () -> events.ended(answer(), Optional.empty()));
      return end::cancel;
    }

    @Override
    public void close() {}
  }

  /** Virtual time with numbers as random as those of real time. */
  private record SeededTime(TimeSource time, Random seeded) implements TimeSource {
    @Override
    public Clock clock() {
      return time.clock();
    }

    @Override
    public Duration elapsed() {
      return time.elapsed();
    }

    @Override
    public Timer schedule(Duration delay, Runnable work) {
      return time.schedule(delay, work);
    }

    @Override
    public double random() {
      return seeded.nextDouble();
    }
  }
}
