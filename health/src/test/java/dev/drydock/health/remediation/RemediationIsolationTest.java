package dev.drydock.health.remediation;

import static dev.drydock.health.remediation.RemediationFixture.REBOOTS;
import static dev.drydock.health.remediation.RemediationFixture.fault;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.remediation.RemediationFixture.Operator;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.ProcessOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bug about one node, or about the reader of the events, harms nothing else. */
class RemediationIsolationTest {
  @TempDir private Path folder;
  private final LoopBug bug = new LoopBug();
  private RemediationFixture fixture;

  @BeforeEach
  void start() {
    fixture = RemediationFixture.simulated(folder);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Operator operator() {
    return fixture.operator(fixture.reboots(), ProcessOptions.of(bug), false);
  }

  private List<String> rebooted() {
    return fixture.list(REBOOTS).stream()
        .map(reboot -> reboot.spec().path("nodeName").asText())
        .toList();
  }

  @Test
  void theOtherNodesAreRebooted() {
    String bad = fixture.addNode();
    String good = fixture.addNode();
    try (Operator operator = operator()) {
      String ofBad = fixture.send(fault(bad));
      String ofGood = fixture.send(fault(good));
      fixture.eventuallyStatus(ofBad, "Quarantined");
      fixture.eventuallyStatus(ofGood, "Quarantined");
      bug.atWritesTo("/nodes/" + bad);
      fixture.drained(ofBad);
      fixture.drained(ofGood);

      bug.staysIn(
          "remediation",
          operator.process().kube(),
          fixture.eventually(),
          () -> assertThat(rebooted()).containsExactly(good),
          () -> assertThat(rebooted()).containsExactlyInAnyOrder(good, bad));
    }
  }

  @Test
  void nodesAreQuarantinedWhileRemediationGetsNoEvents() {
    String node = fixture.addNode();
    fixture.store.onFeed =
        consumer -> {
          if (consumer.equals(HealthNames.FAULT_REMEDIATION)) {
            bug.strike();
          }
        };
    try (Operator operator = operator()) {
      String id = fixture.send(fault(node));

      bug.staysIn(
          "remediation-feed",
          operator.process().kube(),
          fixture.eventually(),
          () -> {
            fixture.drained(id);
            assertThat(fixture.isCordoned(node)).isTrue();
          },
          () -> assertThat(rebooted()).containsExactly(node));
    }
  }
}
