package dev.drydock.lifecycle;

import static dev.drydock.lifecycle.Pier.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.decide.Hold;
import dev.drydock.kube.CallHook;
import dev.drydock.lifecycle.api.History;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whoever dies before or after a write is followed by one that goes on: the driver, the claimer, or
 * an agent that is both.
 */
abstract class CrashContract extends PierContract {
  private static final String HOLDER = "lifecycle/" + Pier.DRAIN;

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

    UnaryOperator<AgentSettings> settings() {
      return switch (this) {
        case AGENT -> settings -> settings;
        case DRIVER -> Pier.onlyDriving();
        case CLAIMER -> Pier.onlyClaiming("claimer");
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
  abstract static class OfADrain extends CrashContract {
    @ParameterizedTest
    @EnumSource
    void aDrainGoesOn(Mortal who) {
      assertThat(writesUntilSurvival(who, this::drain)).isGreaterThan(who.writesOfADrain);
    }
  }

  /** Of a node that is given back. */
  abstract static class OfGivingBack extends CrashContract {
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
    return round.survives(who, new DyingProcess(write, carriesItOut), where);
  }

  boolean drain(Mortal who, DyingProcess dying, String where) {
    String node = pier.node();
    pier.pod("pod-of-" + node, node);

    boolean survived = survives(node, Pier.DRAIN, who, dying);

    assertThat(pier.pods(node)).as(where).isEmpty();
    assertThat(pier.isCordoned(node)).as(where).isTrue();
    assertThat(pier.holders(node)).as(where).containsExactly(HOLDER);
    assertEnd(node, "drain-complete", where);
    return survived;
  }

  boolean giveBack(Mortal who, DyingProcess dying, String where) {
    String node = pier.node();
    var _ = pier.kubectl("cordon", node).output();
    var _ = pier.drains().holds().place(node, Hold.of(HOLDER, "drained", Instant.now()));

    boolean survived = survives(node, Pier.UNCORDON, who, dying);

    assertThat(pier.isCordoned(node)).as(where).isFalse();
    assertThat(pier.holders(node)).as(where).isEmpty();
    assertEnd(node, "maintenance-complete", where);
    return survived;
  }

  private boolean survives(String node, String transition, Mortal who, DyingProcess dying) {
    String event = "event-of-" + node;
    pier.event(event, transition, node);
    Optional<Agent> companion =
        who.companion().map(other -> pier.agent(node, other.settings(), CallHook.NONE));
    try (Agent _ = pier.agent(node, who.settings(), dying)) {
      eventually().until(() -> dying.isDead() || pier.find(event).isEmpty());
    }
    boolean survived = !dying.isDead();
    if (!survived) {
      try (Agent _ = pier.agent(node, who.settings(), CallHook.NONE)) {
        pier.awaitGone(event);
      }
    }
    companion.ifPresent(Agent::close);
    return survived;
  }

  private void assertEnd(String node, String reason, String where) {
    assertThat(pier.history(node).entries())
        .as(where)
        .extracting(History.Entry::event, History.Entry::outcome)
        .containsExactly(org.assertj.core.groups.Tuple.tuple("event-of-" + node, "Succeeded"));
    assertThat(pier.condition(node).orElseThrow().getReason()).as(where).isEqualTo(reason);
  }
}
