package dev.drydock.health.decide;

import static dev.drydock.health.decide.TestEvents.NOW;
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
import dev.drydock.health.decide.QuarantineDecision.Repeat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every event in every state, against a model that knows nothing but the set of what has failed:
 * one key per check, entity and code.
 */
class EveryQuarantineStateTest {
  private static final List<String> CHECKS = List.of("GpuXidError", "NicDown");
  private static final List<List<String>> ENTITIES =
      List.of(List.of(), List.of("0"), List.of("1"), List.of("0", "1"));
  private static final List<List<String>> CODES =
      List.of(List.of(), List.of("79"), List.of("48"), List.of("79", "48"));

  /** What the table of decisions speaks of. */
  private static List<HealthEvent> everyEvent() {
    List<HealthEvent> all = new ArrayList<>();
    for (String check : CHECKS) {
      for (List<String> entities : ENTITIES) {
        for (List<String> codes : CODES) {
          for (boolean isHealthy : List.of(true, false)) {
            String id = "%s-%s-%s-%s".formatted(check, entities, codes, isHealthy);
            HealthEvent.Builder event = isHealthy ? healthy(id) : unhealthy(id);
            event.checkName(check).errorCode(codes);
            entities.forEach(gpu -> event.entity("GPU", gpu));
            all.add(event.build());
          }
        }
      }
    }
    return all;
  }

  /** All states that two unhealthy events make, and none. */
  private static Stream<List<HealthEvent>> everyState() {
    List<HealthEvent> failures = everyEvent().stream().filter(event -> !event.isHealthy()).toList();
    Stream<List<HealthEvent>> pairs =
        failures.stream().flatMap(one -> failures.stream().map(other -> List.of(one, other)));
    return Stream.of(Stream.of(List.<HealthEvent>of()), failures.stream().map(List::of), pairs)
        .flatMap(each -> each);
  }

  @Test
  void anyEventInAnyStateDoesWhatTheTableSays() {
    List<HealthEvent> events = everyEvent();
    everyState()
        .forEach(
            failures -> {
              QuarantineState state = QuarantineState.NONE;
              for (HealthEvent failure : failures) {
                state = apply(state, TestEvents.fresh(failure, "rule"));
              }
              for (HealthEvent event : events) {
                for (boolean matched : List.of(true, false)) {
                  for (boolean forced : List.of(true, false)) {
                    check(state.settled(), event, matched, forced);
                  }
                }
              }
            });
  }

  private static void check(
      QuarantineState state, HealthEvent sent, boolean matched, boolean forced) {
    HealthEvent event =
        sent.toBuilder()
            .id("new")
            .quarantineOverrides(forced ? new BehaviourOverrides(true, true) : null)
            .build();
    QuarantineDecision decision =
        QuarantineDecider.decide(
            state, TestEvents.fresh(event, matched ? new String[] {"rule"} : new String[0]), NOW);
    Set<Key> before = keys(state);
    Set<Key> expected = new HashSet<>(before);
    if (event.isHealthy()) {
      expected.removeIf(key -> clears(event, key));
    } else if (matched || forced) {
      expected.addAll(keys(event));
    }
    Supplier<String> what = () -> "%s then %s".formatted(state, event);
    boolean acts = !event.isHealthy() && (matched || forced);
    if (!acts && expected.equals(before)) {
      assertThat(decision).as(what).isInstanceOf(Ignore.class);
      return;
    }
    assertThat(decision).as(what).isInstanceOf(Change.class);
    Change change = (Change) decision;
    assertThat(keys(change.after())).as(what).isEqualTo(expected);
    Kind kind =
        before.isEmpty()
            ? Kind.BEGIN
            : acts ? Kind.MERGE : expected.isEmpty() ? Kind.END : Kind.PARTIAL_RECOVERY;
    assertThat(change.kind()).as(what).isEqualTo(kind);
    assertThat(change.status())
        .as(what)
        .isEqualTo(
            switch (kind) {
              case BEGIN -> HealthStatus.QUARANTINED;
              case MERGE, PARTIAL_RECOVERY -> HealthStatus.ALREADY_QUARANTINED;
              case END -> HealthStatus.UN_QUARANTINED;
            });
    String episode = state.quarantine().map(Quarantine::episode).orElse("new");
    assertThat(change.episode()).as(what).isEqualTo(episode);
  }

  /** One for each entity with each code, as the specification has it. */
  private record Key(String checkName, String entityType, String entityValue, String errorCode) {}

  private static Set<Key> keys(HealthEvent event) {
    Set<Key> keys = new HashSet<>();
    List<ImpactedEntity> entities =
        event.entitiesImpacted().isEmpty()
            ? List.of(new ImpactedEntity("", ""))
            : event.entitiesImpacted();
    for (ImpactedEntity entity : entities) {
      for (String code : event.errorCode().isEmpty() ? List.of("") : event.errorCode()) {
        keys.add(new Key(event.checkName(), entity.entityType(), entity.entityValue(), code));
      }
    }
    return keys;
  }

  /** Written from the specification, not with the code under test. */
  private static boolean clears(HealthEvent healthy, Key key) {
    boolean check = healthy.checkName().equals(key.checkName());
    boolean entity =
        healthy.entitiesImpacted().isEmpty()
            || healthy.entitiesImpacted().stream()
                .anyMatch(
                    one ->
                        one.entityType().equals(key.entityType())
                            && one.entityValue().equals(key.entityValue()));
    return check
        && entity
        && (healthy.errorCode().isEmpty() || healthy.errorCode().contains(key.errorCode()));
  }

  private static Set<Key> keys(QuarantineState state) {
    Set<Key> keys = new HashSet<>();
    state
        .quarantine()
        .ifPresent(
            quarantine -> quarantine.faults().forEach(one -> keys.addAll(keys(one.event()))));
    return keys;
  }

  private static QuarantineState apply(QuarantineState state, Incoming incoming) {
    return QuarantineDecider.decide(state, incoming, NOW) instanceof Change change
        ? change.after()
        : state;
  }

  static Stream<Long> seeds() {
    return Stream.iterate(1L, seed -> seed + 1).limit(200);
  }

  /**
   * The process dies after the write to the Node and before it has stored the outcomes: all events
   * of that write come again.
   */
  @ParameterizedTest
  @MethodSource("seeds")
  void eventsThatComeAgainHaveTheSameOutcomeAndChangeNothing(long seed) {
    Random random = new Random(seed);
    List<HealthEvent> events = everyEvent();
    QuarantineState state = QuarantineState.NONE;
    for (int write = 0; write < 5; write++) {
      state = state.settled();
      List<Incoming> batch = new ArrayList<>();
      List<String> outcomes = new ArrayList<>();
      boolean over = false;
      for (int i = 0; i < 6 && !over; i++) {
        HealthEvent event =
            events.get(random.nextInt(events.size())).toBuilder()
                .id("%d/%d".formatted(write, i))
                .build();
        boolean matched = random.nextInt(4) > 0;
        Incoming incoming =
            new Incoming(
                event,
                NOW.plusSeconds(write * 100 + i),
                matched ? List.of("rule") : List.of(),
                false);
        QuarantineDecision decision = QuarantineDecider.decide(state, incoming, NOW);
        if (decision instanceof Change change) {
          state = change.after();
          over = change.kind() == Kind.END; // a write ends with the end of a quarantine
        }
        batch.add(incoming);
        outcomes.add(outcome(decision));
      }
      QuarantineState written = state;
      for (int i = 0; i < batch.size(); i++) {
        Incoming once = batch.get(i);
        Incoming again = new Incoming(once.event(), once.created(), once.matched(), true);
        QuarantineDecision decision = QuarantineDecider.decide(written, again, NOW);
        if (decision instanceof Change change) {
          assertThat(change.after().quarantine())
              .as("seed %d, %s again", seed, again)
              .isEqualTo(written.quarantine());
        }
        assertThat(outcome(decision))
            .as("seed %d, %s again", seed, again)
            .isEqualTo(outcomes.get(i));
      }
    }
  }

  private static String outcome(QuarantineDecision decision) {
    return switch (decision) {
      case Ignore _ -> "";
      case Repeat(HealthStatus status, String episode) -> status + " " + episode;
      case Change change -> change.status() + " " + change.episode();
    };
  }

  @Test
  void whatLaterEventsHaveClearedIsNotActedOn() {
    HealthEvent failure =
        unhealthy("1").entity("GPU", "0").entity("GPU", "1").errorCode("79").build();
    HealthEvent first = healthy("2").entity("GPU", "0").build();
    HealthEvent second = healthy("3").entity("GPU", "1").build();

    Supersession none = Supersession.of(failure);
    assertThat(none.after(first).after(second).isComplete()).isTrue();
    assertThat(none.after(first).isComplete()).isFalse();
    assertThat(none.after(failure).isComplete()).isFalse();
  }

  @Test
  void aRecoveryFromBeforeTheFailureDoesNotClearItWhenItComesAgain() {
    HealthEvent failure = unhealthy("2").build();
    QuarantineState state =
        apply(
            QuarantineState.NONE,
            new Incoming(failure, NOW.plusSeconds(10), List.of("rule"), false));

    assertThat(
            QuarantineDecider.decide(
                state.settled(), new Incoming(healthy("1").build(), NOW, List.of(), true), NOW))
        .isInstanceOf(Ignore.class);
  }
}
