package dev.drydock.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.lifecycle.api.TransitionHistory;
import dev.drydock.testkit.DyingProcess;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whoever dies before or after a write is followed by one that goes on: the driver, the claimer, or
 * an agent that is both.
 */
abstract class LifecycleCrashContract extends LifecycleContract {
  private static final String HOLDER = "lifecycle/" + LifecycleFixture.DRAIN;

  /** Who dies, and how many writes it makes at least: less would mean that nobody was killed. */
  enum Mortal {
    AGENT(10, 8),
    DRIVER(3, 1),
    CLAIMER(7, 7);

    private final int writesOfADrain;
    private final int writesOfGivingBack;

    Mortal(int writesOfADrain, int writesOfGivingBack) {
      this.writesOfADrain = writesOfADrain;
      this.writesOfGivingBack = writesOfGivingBack;
    }

    UnaryOperator<LifecycleAgentSettings> settings() {
      return switch (this) {
        case AGENT -> settings -> settings;
        case DRIVER -> LifecycleFixture.onlyDriving();
        case CLAIMER -> LifecycleFixture.onlyClaiming("claimer");
      };
    }

    /** Who lives on beside it, if anybody. */
    Optional<Mortal> companion() {
      return switch (this) {
        case AGENT -> Optional.empty();
        case DRIVER -> Optional.of(CLAIMER);
        case CLAIMER -> Optional.of(DRIVER);
      };
    }
  }

  /** Whether it got to the end before it could die. */
  interface Round {
    boolean survives(Mortal who, DyingProcess dying, String where);
  }

  /** Of a drain. */
  abstract static class OfADrain extends LifecycleCrashContract {
    @ParameterizedTest
    @EnumSource
    void aDrainGoesOn(Mortal who) {
      assertThat(writesUntilSurvival(who, this::drain)).isGreaterThan(who.writesOfADrain);
    }
  }

  /** Of a node that is given back. */
  abstract static class OfGivingBack extends LifecycleCrashContract {
    @ParameterizedTest
    @EnumSource
    void givingANodeBackGoesOn(Mortal who) {
      assertThat(writesUntilSurvival(who, this::giveBack)).isGreaterThan(who.writesOfGivingBack);
    }
  }

  int writesUntilSurvival(Mortal who, Round round) {
    for (int write = 1; ; write++) {
      boolean before = survives(who, round, write, false);
      boolean after = survives(who, round, write, true);
      if (before && after) {
        return write;
      }
    }
  }

  private static boolean survives(Mortal who, Round round, int write, boolean carriesItOut) {
    String where = "write %d %s".formatted(write, carriesItOut ? "carried out" : "not carried out");
    return round.survives(
        who, new DyingProcess(write, carriesItOut, LifecycleCrashContract::counts), where);
  }

  /** That it publishes its transitions, which each start does again, is not counted. */
  private static boolean counts(ApiCall call) {
    return DyingProcess.isWrite(call)
        && !call.path().contains("/" + LifecycleNames.TRANSITIONS + "/");
  }

  boolean drain(Mortal who, DyingProcess dying, String where) {
    String node = fixture.node();
    fixture.pod("pod-of-" + node, node);

    boolean survived = survives(node, LifecycleFixture.DRAIN, who, dying);

    assertThat(fixture.pods(node)).as(where).isEmpty();
    assertThat(fixture.isCordoned(node)).as(where).isTrue();
    assertThat(fixture.holders(node)).as(where).containsExactly(HOLDER);
    assertEnd(node, "drain-complete", where);
    return survived;
  }

  boolean giveBack(Mortal who, DyingProcess dying, String where) {
    String node = fixture.node();
    fixture.cordon(node);
    var _ = fixture.engine().holds().place(node, Hold.of(HOLDER, "drained", Instant.now()));

    boolean survived = survives(node, LifecycleFixture.UNCORDON, who, dying);

    assertThat(fixture.isCordoned(node)).as(where).isFalse();
    assertThat(fixture.holders(node)).as(where).isEmpty();
    assertEnd(node, "maintenance-complete", where);
    return survived;
  }

  private boolean survives(String node, String transition, Mortal who, DyingProcess dying) {
    String event = "event-of-" + node;
    fixture.event(event, transition, node);
    Optional<TestAgent> companion =
        who.companion()
            .map(other -> fixture.agent(node, other.settings(), RequestInterceptor.NONE));
    try (TestAgent _ = fixture.agent(node, who.settings(), dying)) {
      eventually().until(() -> dying.isDead() || fixture.find(event).isEmpty());
    }
    boolean survived = !dying.isDead();
    if (!survived) {
      try (TestAgent _ = fixture.agent(node, who.settings(), RequestInterceptor.NONE)) {
        fixture.awaitGone(event);
      }
    }
    companion.ifPresent(TestAgent::close);
    return survived;
  }

  private void assertEnd(String node, String reason, String where) {
    assertThat(fixture.history(node).entries())
        .as(where)
        .extracting(TransitionHistory.Entry::event, TransitionHistory.Entry::outcome)
        .containsExactly(org.assertj.core.groups.Tuple.tuple("event-of-" + node, "Succeeded"));
    assertThat(fixture.condition(node).orElseThrow().getReason()).as(where).isEqualTo(reason);
  }
}
