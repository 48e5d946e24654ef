package dev.drydock.health.decide;

import static dev.drydock.health.decide.TestEvents.fresh;
import static dev.drydock.health.decide.TestEvents.healthy;
import static dev.drydock.health.decide.TestEvents.unhealthy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.BehaviourOverrides;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.contracts.health.ImpactedEntity;
import dev.drydock.health.decide.QuarantineDecision.Change;
import dev.drydock.health.decide.QuarantineDecision.Ignore;
import dev.drydock.health.decide.QuarantineDecision.Kind;
import dev.drydock.health.event.EventJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** However many failures are sent, few are tracked, and none is forgotten. */
class FaultBoundsTest {
  private static final int FLOOD = 3000;

  private static QuarantineState after(QuarantineState state, HealthEvent event, String... rules) {
    return QuarantineDecider.decide(state, fresh(event, rules), TestEvents.NOW)
            instanceof Change change
        ? change.after().settled()
        : state;
  }

  private static QuarantineState flood(IntFunction<HealthEvent.Builder> events) {
    QuarantineState state = QuarantineState.NONE;
    for (int i = 0; i < FLOOD; i++) {
      state = after(state, events.apply(i).id("e" + i).build(), "rule");
    }
    return state;
  }

  private static Quarantine quarantine(QuarantineState state) {
    return state.quarantine().orElseThrow();
  }

  private static int jsonBytes(QuarantineState state) {
    return quarantine(state).faults().stream()
        .mapToInt(
            fault ->
                EventJson.json(fault.event()).toString().getBytes(StandardCharsets.UTF_8).length)
        .sum();
  }

  @Test
  void aFloodOfEntitiesIsTrackedAsTheWholeCheckAndEndsWithTheWholeCheck() {
    QuarantineState flooded = flood(i -> unhealthy("").entity("GPU", "uuid-" + i));

    assertThat(quarantine(flooded).faults()).hasSizeLessThanOrEqualTo(65);
    assertThat(quarantine(flooded).untracked())
        .extracting(TrackedFault::scope)
        .containsExactly(TrackedFault.Scope.CHECK);
    QuarantineState state = flooded;
    for (int i = 0; i < FLOOD; i++) {
      state = after(state, healthy("h" + i).entity("GPU", "uuid-" + i).build());
    }
    assertThat(quarantine(state).faults())
        .as("recoveries one by one do not say that all others recovered")
        .isEqualTo(quarantine(flooded).untracked());
    Change end =
        (Change) QuarantineDecider.decide(state, fresh(healthy("h").build()), TestEvents.NOW);
    assertThat(end.kind()).isEqualTo(Kind.END);
    assertThat(end.status()).isEqualTo(HealthStatus.UN_QUARANTINED);
  }

  @Test
  void aFloodOfChecksIsTrackedAsOneFailureThatNoEventClears() {
    QuarantineState flooded =
        flood(i -> unhealthy("").checkName("Check" + i).message("\u0001\"x".repeat(300)));

    assertThat(quarantine(flooded).faults()).hasSizeLessThanOrEqualTo(100);
    assertThat(jsonBytes(flooded)).isLessThan(160 << 10);
    QuarantineState state = flooded;
    for (int i = 0; i < FLOOD; i++) {
      state = after(state, healthy("h" + i).checkName("Check" + i).build());
    }
    assertThat(quarantine(state).faults())
        .extracting(TrackedFault::scope)
        .containsExactly(TrackedFault.Scope.NODE);
    TrackedFault left = quarantine(state).faults().getFirst();
    assertThat(
            QuarantineDecider.decide(
                state,
                fresh(left.event().toBuilder().id("forged").isHealthy(true).build()),
                TestEvents.NOW))
        .as("a recovery with its name, which is reserved")
        .isInstanceOf(Ignore.class);
    assertThat(FaultCondition.isReserved(left.event().checkName())).isTrue();
  }

  @Test
  void whatDoesNotFitKeepsItsRulesAndForce() {
    QuarantineState flooded = flood(i -> unhealthy("").entity("GPU", "uuid-" + i));

    QuarantineState state =
        after(
            flooded,
            unhealthy("late")
                .entity("GPU", "late")
                .quarantineOverrides(new BehaviourOverrides(true, false))
                .build(),
            "rule",
            "taints");

    TrackedFault check = quarantine(state).untracked().getFirst();
    assertThat(check.ruleSets().orElseThrow()).containsExactly("rule", "taints");
    assertThat(check.isForced()).isTrue();
    assertThat(quarantine(state).faults()).hasSameSizeAs(quarantine(flooded).faults());
  }

  @Test
  void aLargeEventIsTrackedWithoutWhatMakesItLarge() {
    HealthEvent wide =
        unhealthy("wide")
            .entitiesImpacted(
                IntStream.range(0, 50_000)
                    .mapToObj(i -> new ImpactedEntity("GPU", "uuid-" + i))
                    .toList())
            .errorCode(IntStream.range(0, 50_000).mapToObj(i -> "code-" + i).toList())
            .build();
    HealthEvent wordy = unhealthy("wordy").metadata("log", "x".repeat(60_000)).build();

    QuarantineState state = after(after(QuarantineState.NONE, wide, "rule"), wordy, "rule");

    assertThat(jsonBytes(state)).isLessThan(10 << 10);
    assertThat(quarantine(state).episode()).isEqualTo("wide");
    assertThat(after(state, healthy("h").entity("GPU", "uuid-1").build()))
        .as("one entity of many")
        .isEqualTo(state);
    assertThat(after(state, healthy("h").build()).quarantine()).isEmpty();
  }

  @Test
  void aPublisherCannotSayThatItsEventStandsForMore() {
    QuarantineState state =
        after(
            QuarantineState.NONE,
            unhealthy("e").metadata(TrackedFault.SCOPE, "node").build(),
            "rule");

    assertThat(quarantine(state).untracked()).isEmpty();
    assertThat(after(state, healthy("h").build()).quarantine()).isEmpty();
  }

  @Test
  void aWriteEndsBeforeARecoveryOfWhatTheNodeDoesNotTell() {
    List<Incoming> batch =
        IntStream.range(0, 100)
            .mapToObj(i -> fresh(unhealthy("e" + i).entity("GPU", "uuid-" + i).build(), "rule"))
            .toList();
    List<Incoming> all =
        Stream.concat(batch.stream(), Stream.of(fresh(healthy("h").build()))).toList();

    QuarantineFold.Result first =
        QuarantineFold.of(
            QuarantineState.NONE, all, _ -> new QuarantineFold.Entry.Open(), TestEvents.NOW);
    QuarantineFold.Result second =
        QuarantineFold.of(
            first.after(),
            all.subList(100, 101),
            _ -> new QuarantineFold.Entry.Open(),
            TestEvents.NOW);

    assertThat(first.outcomes()).as("all but the recovery").hasSize(100);
    assertThat(second.after().quarantine()).isEmpty();
  }
}
