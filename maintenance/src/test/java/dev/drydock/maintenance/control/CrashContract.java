package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process that dies after any single write is followed by one that goes on. */
abstract class CrashContract {
  private Yard yard;

  @BeforeEach
  void open(Yard given) {
    yard = given;
  }

  @AfterEach
  void close() {
    yard.close();
  }

  @Test
  void goesOnAfterADeathAtAnyWrite() {
    int write = 0;
    boolean survived = false;
    while (!survived) {
      write++;
      boolean before = killAndContinue(write, false);
      survived = killAndContinue(write, true) && before;
    }
    assertThat(write).as("writes of a whole maintenance").isGreaterThan(8);
  }

  /** Whether the process got to the end before it could die. */
  private boolean killAndContinue(int lastWrite, boolean carriesItOut) {
    String node = yard.node();
    String name = "m" + lastWrite + (carriesItOut ? "-after" : "-before");
    yard.create(name, node, "fw-17");
    // All that users do is there from the beginning, so that every write can be the last.
    yard.annotate(name, "readyForMaintenance", "true");
    yard.annotate(name, "maintenanceClient", "complete");
    yard.annotate(name, "validationClient", "validated");
    yard.label(node, "fw-17");
    yard.kubectl("cordon", node);
    DyingWriter dying = new DyingWriter(lastWrite, carriesItOut);
    boolean ended = false;
    try (Maintenances _ = yard.operator(dying, Clock.systemUTC())) {
      Yard.eventually().until(() -> dying.isDead() || isFit(name));
      if (!dying.isDead()) {
        ended = end(name, node);
        Yard.eventually().until(() -> dying.isDead() || yard.maintenance(name).isEmpty());
      }
    }
    try (Maintenances _ = yard.operator()) {
      if (!ended) {
        Yard.eventually().until(() -> isFit(name));
        var _ = end(name, node);
      }
      yard.awaitGone(name);
    }
    assertThat(yard.maintenanceLabels(node)).as(name).isEmpty();
    assertThat(yard.notices).as(name).contains(name + " MaintenanceComplete");
    return !dying.isDead();
  }

  private boolean end(String name, String node) {
    yard.kubectl("uncordon", node);
    yard.delete(name);
    return true;
  }

  private boolean isFit(String name) {
    return yard.conditions(name).getOrDefault("validationClient", "").equals("validated");
  }
}
