package dev.drydock.lifecycle;

import static dev.drydock.lifecycle.Pier.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.decide.Hold;
import dev.drydock.lifecycle.api.History;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** An agent that dies before or after a write is followed by one that goes on. */
abstract class CrashContract extends PierContract {
  private static final String HOLDER = "lifecycle/" + Pier.DRAIN;

  private final int step;

  /**
   * @param step 1 for each write, 2 for every other
   */
  CrashContract(int step) {
    this.step = step;
  }

  /** Whether the agent got to the end before it could die. */
  private interface Round {
    boolean survives(int lastWrite, boolean carriesItOut);
  }

  @Test
  void aDrainGoesOn() {
    assertThat(writesUntilSurvival(this::drain)).isGreaterThan(10);
  }

  @Test
  void givingANodeBackGoesOn() {
    assertThat(writesUntilSurvival(this::giveBack)).isGreaterThan(8);
  }

  private int writesUntilSurvival(Round round) {
    for (int write = 1; ; write += step) {
      boolean before = round.survives(write, false);
      boolean after = round.survives(write, true);
      if (before && after) {
        return write;
      }
    }
  }

  private boolean drain(int lastWrite, boolean carriesItOut) {
    String node = pier.node();
    pier.pod("pod-of-" + node, node);

    boolean survived = survives(node, Pier.DRAIN, new DyingProcess(lastWrite, carriesItOut));

    String where = "write " + lastWrite + (carriesItOut ? " carried out" : " not carried out");
    assertThat(pier.pods(node)).as(where).isEmpty();
    assertThat(pier.isCordoned(node)).as(where).isTrue();
    assertThat(pier.holders(node)).as(where).containsExactly(HOLDER);
    assertEnd(node, "drain-complete", where);
    return survived;
  }

  private boolean giveBack(int lastWrite, boolean carriesItOut) {
    String node = pier.node();
    var _ = pier.kubectl("cordon", node).output();
    var _ = pier.drains().holds().place(node, Hold.of(HOLDER, "drained", Instant.now()));

    boolean survived = survives(node, Pier.UNCORDON, new DyingProcess(lastWrite, carriesItOut));

    String where = "write " + lastWrite + (carriesItOut ? " carried out" : " not carried out");
    assertThat(pier.isCordoned(node)).as(where).isFalse();
    assertThat(pier.holders(node)).as(where).isEmpty();
    assertEnd(node, "maintenance-complete", where);
    return survived;
  }

  private boolean survives(String node, String transition, DyingProcess dying) {
    String event = "event-of-" + node;
    pier.event(event, transition, node);
    try (Agent _ = pier.agent(node, usual -> usual, dying)) {
      eventually().until(() -> dying.isDead() || pier.find(event).isEmpty());
    }
    boolean survived = !dying.isDead();
    if (!survived) {
      try (Agent _ = pier.agent(node)) {
        pier.awaitGone(event);
      }
    }
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
