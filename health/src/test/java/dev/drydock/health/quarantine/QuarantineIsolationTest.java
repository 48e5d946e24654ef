package dev.drydock.health.quarantine;

import static dev.drydock.health.quarantine.QuarantineFixture.RULES;
import static dev.drydock.health.quarantine.QuarantineFixture.fault;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.quarantine.QuarantineFixture.Operator;
import dev.drydock.testkit.DyingProcess;
import dev.drydock.testkit.LoopBug;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A bug about one node, or about one reader of the events, harms no other. */
class QuarantineIsolationTest {
  private static final String CHECK = "GpuXidError";
  private static final String QUARANTINED = "Quarantined";

  private final QuarantineFixture fixture = QuarantineFixture.simulated();
  private final LoopBug bug = new LoopBug();

  @AfterEach
  void close() {
    fixture.close();
  }

  private Operator operator() {
    return fixture.operator(RULES, false, bug);
  }

  private boolean isShown(String node) {
    return fixture.condition(node, CHECK).isPresent();
  }

  @Test
  void theOtherNodesAreQuarantined() {
    String bad = fixture.addNode();
    String good = fixture.addNode();
    bug.at(call -> DyingProcess.isWrite(call) && call.path().endsWith("/nodes/" + bad));
    try (Operator operator = operator()) {
      String ofBad = fixture.send(fault(bad));
      String ofGood = fixture.send(fault(good));

      bug.staysIn(
          "quarantine",
          operator.process().kube(),
          fixture.cluster().eventually(),
          () ->
              assertThat(List.of(fixture.status(ofGood), fixture.status(ofBad)))
                  .containsExactly(QUARANTINED, ""),
          () -> assertThat(fixture.status(ofBad)).isEqualTo(QUARANTINED));
    }
  }

  @Test
  void theOtherNodesGetTheirConditions() {
    String bad = fixture.addNode();
    String good = fixture.addNode();
    bug.atWritesTo("/nodes/" + bad + "/status");
    try (Operator operator = operator()) {
      fixture.send(fault(bad));
      fixture.send(fault(good));

      bug.staysIn(
          "conditions",
          operator.process().kube(),
          fixture.cluster().eventually(),
          () -> assertThat(List.of(isShown(good), isShown(bad))).containsExactly(true, false),
          () -> assertThat(isShown(bad)).isTrue());
    }
  }

  @Test
  void conditionsAreSetWhileQuarantinesGetNoEvents() {
    String node = fixture.addNode();
    fixture.store.onFeed =
        consumer -> {
          if (consumer.equals(HealthNames.FAULT_QUARANTINE)) {
            bug.strike();
          }
        };
    try (Operator operator = operator()) {
      String id = fixture.send(fault(node));

      bug.staysIn(
          "quarantine-feed",
          operator.process().kube(),
          fixture.cluster().eventually(),
          () -> {
            assertThat(isShown(node)).isTrue();
            assertThat(fixture.status(id)).isEmpty();
          },
          () -> assertThat(fixture.status(id)).isEqualTo(QUARANTINED));
    }
  }

  @Test
  void nodesAreQuarantinedWhileConditionsGetNoEvents() {
    String node = fixture.addNode();
    fixture.store.onFeed =
        consumer -> {
          if (!consumer.equals(HealthNames.FAULT_QUARANTINE)) {
            bug.strike();
          }
        };
    try (Operator operator = operator()) {
      String id = fixture.send(fault(node));

      bug.staysIn(
          "conditions-feed",
          operator.process().kube(),
          fixture.cluster().eventually(),
          () -> {
            assertThat(fixture.status(id)).isEqualTo(QUARANTINED);
            assertThat(isShown(node)).isFalse();
          },
          () -> assertThat(isShown(node)).isTrue());
    }
  }
}
