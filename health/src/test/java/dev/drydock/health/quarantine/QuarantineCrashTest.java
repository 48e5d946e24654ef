package dev.drydock.health.quarantine;

import static dev.drydock.health.quarantine.QuarantineFixture.RULES;
import static dev.drydock.health.quarantine.QuarantineFixture.fault;
import static dev.drydock.health.quarantine.QuarantineFixture.recovery;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.quarantine.QuarantineFixture.Operator;
import dev.drydock.testkit.DyingProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Dies at every write, before it or after it: the next process ends where the first would have. */
class QuarantineCrashTest {
  private static final List<String> OUTCOMES =
      List.of(
          "Quarantined",
          "AlreadyQuarantined",
          "AlreadyQuarantined",
          "UnQuarantined",
          "Quarantined");

  private static List<HealthEvent> story(String node) {
    return List.of(
        fault(node).build(),
        fault(node).componentClass("NIC").checkName("NicDown").build(),
        recovery(node).componentClass("NIC").checkName("NicDown").build(),
        recovery(node).build(),
        fault(node).entity("GPU", "7").build());
  }

  @Test
  void noWriteIsTheLastOne() {
    int write = 0;
    boolean survived = false;
    while (!survived) {
      write++;
      boolean before = dieAndContinue(write, false, true);
      boolean together = dieAndContinue(write, true, true);
      boolean apart = dieAndContinue(write, true, false);
      survived = before && together && apart;
    }
    assertThat(write).as("writes of a whole life").isGreaterThan(5);
  }

  /**
   * @param atOnce whether all events are there from the beginning
   * @return whether the process got to the end before it could die
   */
  private static boolean dieAndContinue(int write, boolean carriesItOut, boolean atOnce) {
    try (QuarantineFixture fixture = QuarantineFixture.simulated()) {
      String node = fixture.addNode();
      DyingProcess dying = DyingProcess.atWrite(write, carriesItOut);
      List<HealthEvent> story = story(node);
      boolean survived;
      List<String> ids;
      try (Operator first = fixture.operator(RULES, false, dying)) {
        fixture.cluster().pass(Duration.ofSeconds(6)); // until events are certainly new
        if (atOnce) {
          ids = fixture.store.append(story).ids();
        } else {
          ids =
              story.stream()
                  .map(
                      event -> {
                        String id = fixture.store.append(List.of(event)).ids().getFirst();
                        fixture.cluster().pass(Duration.ofSeconds(2));
                        return id;
                      })
                  .toList();
        }
        fixture.cluster().pass(Duration.ofSeconds(10));
        survived = !dying.isDead();
        first.process().kill();
      }
      try (Operator _ = fixture.operator()) {
        fixture.eventuallyStatus(ids.getLast(), "Quarantined");
        fixture.cluster().pass(Duration.ofSeconds(10));
      }
      String what = "write %d, carried out %s, at once %s".formatted(write, carriesItOut, atOnce);
      assertThat(fixture.isCordoned(node)).as(what).isTrue();
      assertThat(fixture.annotations(node).get("quarantineHealthEvent"))
          .as(what)
          .contains(ids.getLast())
          .doesNotContain(ids.getFirst());
      List<String> found = ids.stream().map(fixture::status).toList();
      if (survived) {
        assertThat(found).as(what).isEqualTo(OUTCOMES);
      } else {
        // what a later event had cleared when the second process started is not acted on any more
        for (int i = 0; i < found.size(); i++) {
          assertThat(found.get(i)).as(what).isIn(OUTCOMES.get(i), "");
        }
      }
      assertThat(fixture.condition(node, "GpuXidError").orElseThrow().getStatus())
          .as(what)
          .isEqualTo("True");
      return survived;
    }
  }
}
