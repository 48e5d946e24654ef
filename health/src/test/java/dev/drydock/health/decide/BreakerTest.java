package dev.drydock.health.decide;

import static dev.drydock.health.decide.TestEvents.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.health.decide.Breaker.Answer;
import dev.drydock.health.decide.Breaker.Candidate;
import dev.drydock.health.decide.Breaker.Fleet;
import dev.drydock.health.decide.BreakerLimits.Threshold;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BreakerTest {
  private static final String RACK = "rack";

  private static BreakerLimits limits(int percentage, int maxNodes) {
    return new BreakerLimits(
        true, percentage, maxNodes, Duration.ofMinutes(5), 3, List.of(RACK), 0, 0, 100);
  }

  private static Candidate candidate(int number) {
    return new Candidate("node-" + number, "Xid", Map.of(RACK, "r" + number % 2));
  }

  private static Fleet fleet(int nodes) {
    return new Fleet(nodes, Map.of());
  }

  /** Admits so many different nodes at this time. */
  private static Breaker admit(Breaker breaker, int from, int to, Fleet fleet, Instant at) {
    Breaker now = breaker;
    for (int i = from; i < to; i++) {
      Answer answer = now.admit(candidate(i), fleet, at);
      assertThat(answer).isInstanceOf(Answer.Admit.class);
      now = ((Answer.Admit) answer).after();
    }
    return now;
  }

  @Test
  void theLowerBoundCountsAndTheMinimumIsOfPercentagesOnly() {
    assertThat(limits(50, 0).ofFleet(101)).isEqualTo(new Threshold(51, "percentage"));
    assertThat(limits(50, 10).ofFleet(100)).isEqualTo(new Threshold(10, "maxNodes"));
    assertThat(limits(0, 10).ofFleet(100)).isEqualTo(new Threshold(10, "maxNodes"));
    assertThat(limits(0, 10).ofFleet(5)).isEqualTo(new Threshold(5, "fleetSize"));
    assertThat(limits(50, 0).ofFleet(1)).isEqualTo(new Threshold(3, "percentage"));
    assertThat(limits(50, 1).ofFleet(1)).isEqualTo(new Threshold(1, "maxNodes"));
    assertThatThrownBy(() -> limits(0, 0)).hasMessageContaining("both 0");
  }

  @Test
  void itTripsAtTheBoundAndStaysTripped() {
    Breaker half = admit(Breaker.closed(limits(50, 0)), 0, 5, fleet(10), NOW);

    Answer answer = half.admit(candidate(5), fleet(10), NOW);

    assertThat(answer).isInstanceOf(Answer.Trip.class);
    Breaker tripped = ((Answer.Trip) answer).after();
    Instant later = NOW.plus(Duration.ofDays(1));
    assertThat(tripped.admit(candidate(6), fleet(10), later))
        .isEqualTo(new Answer.Blocked(BreakerScope.FLEET));

    Breaker reset = tripped.withTripped(new TreeMap<>());
    assertThat(admit(reset, 5, 10, fleet(10), NOW).recent(BreakerScope.FLEET, NOW)).isEqualTo(5);
  }

  @Test
  void theWindowSlides() {
    Breaker half = admit(Breaker.closed(limits(50, 0)), 0, 5, fleet(10), NOW);

    Instant later = NOW.plus(Duration.ofMinutes(5));

    assertThat(half.recent(BreakerScope.FLEET, later.minusSeconds(1))).isEqualTo(5);
    assertThat(half.recent(BreakerScope.FLEET, later)).isZero();
    assertThat(half.admit(candidate(5), fleet(10), later)).isInstanceOf(Answer.Admit.class);
  }

  @Test
  void aNodeThatFailsAgainCountsOnce() {
    Breaker half = admit(Breaker.closed(limits(50, 0)), 0, 5, fleet(10), NOW);

    assertThat(half.admit(candidate(4), fleet(10), NOW.plusSeconds(1)))
        .isInstanceOf(Answer.Admit.class);
  }

  @Test
  void domainsAndCausesTripAlone() {
    BreakerLimits perDomain =
        new BreakerLimits(true, 100, 0, Duration.ofMinutes(5), 1, List.of(RACK), 25, 0, 100);
    Fleet fleet =
        Fleet.of(
            IntStream.range(0, 16).mapToObj(i -> Map.of(RACK, "r" + i % 2)).toList(),
            "gpu",
            "true",
            perDomain);
    Breaker breaker = Breaker.closed(perDomain);
    breaker = admit(breaker, 0, 4, fleet, NOW); // two of eight in each rack

    Answer third = breaker.admit(candidate(4), fleet, NOW);

    assertThat(third)
        .isInstanceOfSatisfying(
            Answer.Trip.class,
            trip -> assertThat(trip.scope()).isEqualTo(BreakerScope.domain(RACK, "r0")));
    Breaker tripped = ((Answer.Trip) third).after();
    assertThat(tripped.admit(new Candidate("other", "Xid", Map.of()), fleet, NOW))
        .isInstanceOf(Answer.Admit.class);

    BreakerLimits perCause =
        new BreakerLimits(true, 100, 0, Duration.ofMinutes(5), 1, List.of(), 0, 25, 100);
    Breaker causes = admit(Breaker.closed(perCause), 0, 4, fleet(16), NOW);
    assertThat(causes.admit(candidate(5), fleet(16), NOW)).isInstanceOf(Answer.Trip.class);
    assertThat(causes.admit(new Candidate("n", "NicDown", Map.of()), fleet(16), NOW))
        .isInstanceOf(Answer.Admit.class);
  }

  @Test
  void itSlowsDownBeforeItStops() {
    BreakerLimits slow =
        new BreakerLimits(true, 50, 0, Duration.ofMinutes(5), 3, List.of(), 0, 0, 80);
    Breaker breaker = admit(Breaker.closed(slow), 0, 40, fleet(100), NOW);

    Instant now = NOW;
    int admitted = 40;
    Answer answer = breaker.admit(candidate(admitted), fleet(100), now);
    while (!(answer instanceof Answer.Trip)) {
      switch (answer) {
        case Answer.Slow later -> {
          assertThat(later.until()).isAfter(now);
          now = later.until();
        }
        case Answer.Admit next -> {
          breaker = next.after();
          admitted++;
        }
        default -> throw new AssertionError(answer);
      }
      answer = breaker.admit(candidate(admitted), fleet(100), now);
    }
    assertThat(admitted).isEqualTo(50);
    assertThat(Duration.between(NOW, now)).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void withoutGpuLabelsAllNodesCount() {
    List<Map<String, String>> labels = List.of(Map.of(), Map.of("a", "b"), Map.of());

    assertThat(Fleet.of(labels, "nvidia.com/gpu.present", "true", limits(50, 0)).nodes())
        .isEqualTo(3);
    assertThat(Fleet.of(labels, "a", "b", limits(50, 0)).nodes()).isEqualTo(1);
  }

  @Test
  void aDisabledBreakerAdmitsAll() {
    assertThat(admit(Breaker.closed(limits(50, 0).disabled()), 0, 100, fleet(10), NOW).admitted())
        .isEmpty();
  }

  @Test
  void scopesAreWrittenAndRead() {
    for (BreakerScope scope :
        List.of(BreakerScope.FLEET, BreakerScope.domain(RACK, "r1"), BreakerScope.cause("Xid:1"))) {
      assertThat(BreakerScope.find(scope.toString())).contains(scope);
    }
    assertThat(BreakerScope.find("nothing")).isEmpty();
  }
}
