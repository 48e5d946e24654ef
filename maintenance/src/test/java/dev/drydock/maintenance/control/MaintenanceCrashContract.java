package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testkit.DyingProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process that dies after any single write is followed by one that goes on. */
abstract class MaintenanceCrashContract {
  private MaintenanceFixture fixture;

  @BeforeEach
  void open(MaintenanceFixture given) {
    fixture = given;
  }

  @AfterEach
  void close() {
    fixture.close();
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
    String node = fixture.node();
    String name = "m" + lastWrite + (carriesItOut ? "-after" : "-before");
    fixture.create(name, node, "fw-17");
    // All that users do is there from the beginning, so that every write can be the last.
    fixture.annotate(name, "readyForMaintenance", "true");
    fixture.annotate(name, "maintenanceClient", "complete");
    fixture.annotate(name, "validationClient", "validated");
    fixture.label(node, "fw-17");
    fixture.cordon(node);
    DyingProcess dying = DyingProcess.atWrite(lastWrite, carriesItOut);
    boolean ended = false;
    try (MaintenanceFixture.Operator _ = fixture.operator(fixture.process(dying))) {
      fixture.eventually().until(() -> dying.isDead() || isFit(name));
      if (!dying.isDead()) {
        ended = end(name, node);
        fixture.eventually().until(() -> dying.isDead() || fixture.maintenance(name).isEmpty());
      }
    }
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      if (!ended) {
        fixture.eventually().until(() -> isFit(name));
        var _ = end(name, node);
      }
      fixture.awaitGone(name);
    }
    assertThat(fixture.maintenanceLabels(node)).as(name).isEmpty();
    assertThat(fixture.notices).as(name).contains(name + " MaintenanceComplete");
    return !dying.isDead();
  }

  private boolean end(String name, String node) {
    fixture.uncordon(node);
    fixture.delete(name);
    return true;
  }

  private boolean isFit(String name) {
    return fixture.conditions(name).getOrDefault("validationClient", "").equals("validated");
  }
}
