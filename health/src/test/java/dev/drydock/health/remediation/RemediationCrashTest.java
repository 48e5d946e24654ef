package dev.drydock.health.remediation;

import static dev.drydock.health.remediation.RemediationFixture.REBOOTS;
import static dev.drydock.health.remediation.RemediationFixture.fault;
import static dev.drydock.health.remediation.RemediationFixture.recovery;
import static dev.drydock.kube.Fields.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.health.remediation.RemediationFixture.Operator;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions;
import dev.drydock.testkit.DyingProcess;
import dev.drydock.testkit.ProcessOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operator dies at every write, before it or after it: no reboot is lost, none is made twice,
 * and the node comes back.
 */
class RemediationCrashTest {
  @TempDir private Path folder;

  @Test
  void noWriteIsTheLastOne() throws Exception {
    int write = 0;
    boolean survived = false;
    while (!survived) {
      write++;
      survived = live(write, false);
      survived &= live(write, true);
    }
    assertThat(write).as("writes of a whole life").isGreaterThan(8);
  }

  /** Whether the process got to the end before it could die. */
  private boolean live(int write, boolean carriesItOut) throws Exception {
    Path own = Files.createDirectories(folder.resolve(write + "-" + carriesItOut));
    String what = "write %d, carried out %s".formatted(write, carriesItOut);
    try (RemediationFixture fixture = RemediationFixture.simulated(own)) {
      String node = fixture.addNode();
      DyingProcess dying = DyingProcess.atWrite(write, carriesItOut);
      List<Operator> operators = new ArrayList<>();
      operators.add(fixture.operator(fixture.reboots(), ProcessOptions.of(dying), false));
      Runnable keepAlive =
          () -> {
            if (dying.isDead() && operators.size() == 1) {
              operators.getFirst().process().kill();
              operators.add(fixture.operator(fixture.reboots()));
            }
          };
      String id = fixture.send(fault(node));
      step(fixture, keepAlive);
      fixture.drained(id);
      step(fixture, keepAlive);
      reboot(fixture, "False"); // fails, and is tried again
      step(fixture, keepAlive);
      fixture.cluster().pass(Duration.ofMinutes(2));
      step(fixture, keepAlive);
      reboot(fixture, "True");
      step(fixture, keepAlive);
      fixture.send(recovery(node));
      step(fixture, keepAlive);

      assertThat(fixture.list(REBOOTS))
          .as(what)
          .extracting(ApiObject::name)
          .containsExactlyInAnyOrder(
              "maintenance-%s-%s".formatted(node, id), "maintenance-%s-%s-2".formatted(node, id));
      assertThat(fixture.isCordoned(node)).as(what).isFalse();
      assertThat(fixture.label(node)).as(what).isEmpty();
      assertThat(fixture.node(node).annotations())
          .as(what)
          .doesNotContainKey("latestFaultRemediationState");
      JsonNode attempts = fixture.journal(node).path("attempts");
      assertThat(attempts).as(what).hasSize(2);
      attempts.forEach(
          attempt ->
              assertThat(text(attempt.path("outcome"), "result")).as(what).isEqualTo("RECOVERED"));
      assertThat(fixture.remediated(id)).as(what).contains(true);
      boolean survived = operators.size() == 1;
      operators.forEach(Operator::close);
      return survived;
    }
  }

  private static void step(RemediationFixture fixture, Runnable keepAlive) {
    for (int i = 0; i < 5; i++) {
      fixture.cluster().pass(Duration.ofSeconds(2));
      keepAlive.run();
    }
    fixture.cluster().pass(Duration.ofSeconds(10));
  }

  /** As a controller writes it: of those that have not ended. */
  private static void reboot(RemediationFixture fixture, String ready) {
    for (ApiObject reboot : fixture.list(REBOOTS)) {
      Conditions conditions = reboot.conditions();
      if (conditions.get("NodeReady").isEmpty()) {
        fixture.condition(REBOOTS, reboot.name(), "NodeReady", ready);
      }
    }
  }
}
