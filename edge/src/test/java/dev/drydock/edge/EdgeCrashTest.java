package dev.drydock.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.edge.decide.DeferredOperation;
import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testkit.DyingProcess;
import dev.drydock.testkit.ProcessDeath;
import dev.drydock.testkit.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An agent that dies anywhere is followed by one that goes on: nothing is lost, nothing harmful
 * repeated.
 */
class EdgeCrashTest {
  private static final int MOST = 400;

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(
      value = DyingFiles.Moment.class,
      names = {"HALFWAY", "AFTER"})
  void atEveryFileOperation(DyingFiles.Moment moment) {
    try (EdgeFixture edge = new EdgeFixture(TestCluster.simulated(), folder)) {
      for (int last = 1; last < MOST; last++) {
        DyingFiles files = new DyingFiles(last, moment);
        if (!diesAndGoesOn(edge, last, RequestInterceptor.NONE, files, files::isDead)) {
          assertThat(last).as("file operations").isGreaterThan(15);
          return;
        }
      }
    }
    throw new AssertionError("it never ends");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void atEveryWriteToTheCluster(boolean carriesItOut) {
    try (EdgeFixture edge = new EdgeFixture(TestCluster.simulated(), folder)) {
      for (int last = 1; last < MOST; last++) {
        DyingProcess death = DyingProcess.atWrite(last, carriesItOut);
        if (!diesAndGoesOn(edge, last, death, DyingFiles.never(), death::isDead)) {
          assertThat(last).as("writes").isGreaterThan(3);
          return;
        }
      }
    }
    throw new AssertionError("it never ends");
  }

  @FunctionalInterface
  private interface Death {
    boolean isDead();
  }

  /** Returns whether it died before it had done everything. */
  private static boolean diesAndGoesOn(
      EdgeFixture edge, int number, RequestInterceptor requests, DyingFiles files, Death death) {
    String pod = "web-" + number;
    edge.commands.clear();
    edge.runPod(pod);
    edge.ask(EdgeOperation.REBOOT, "reboot");
    try {
      edge.start(requests, files);
      edge.eventually().until(() -> death.isDead() || isOver(edge));
    } catch (ProcessDeath atStart) {
      assertThat(death.isDead()).isTrue();
    }
    boolean died = death.isDead();
    if (died) {
      edge.kill().start();
      edge.eventually().untilAsserted(() -> assertThat(isOver(edge)).isTrue());
    }
    assertThat(edge.hasPod(pod)).as("death %d", number).isFalse();
    assertThat(edge.commands)
        .as("death %d: rebooted, and again only if nobody knows whether it was", number)
        .isNotEmpty()
        .containsOnly("reboot")
        .hasSizeLessThanOrEqualTo(died ? 2 : 1);
    assertThat(edge.isCordoned(edge.node)).as("death %d", number).isTrue();
    edge.reboot(false).start();
    edge.eventually().until(() -> !edge.isCordoned(edge.node));
    edge.kill();
    return died;
  }

  private static boolean isOver(EdgeFixture edge) {
    return edge.operation(EdgeOperation.REBOOT)
        .filter(operation -> operation.state() == DeferredOperation.State.DONE)
        .isPresent();
  }

  @Test
  void theTimeOfTheRequestSurvivesARestart() throws IOException {
    try (EdgeFixture edge = new EdgeFixture(TestCluster.simulated(), folder)) {
      edge.publish(edge.paths.faultInjection(), "");
      edge.start();
      edge.awaitStatus(NodeDrainState.NOTREQUESTED);
      edge.request(DrainRequester.DEVICEOP, "reboot");
      edge.awaitStatus(NodeDrainState.CORDONED);
      edge.cluster.pass(Duration.ofSeconds(100));
      edge.kill().start();
      edge.cluster.pass(Duration.ofSeconds(100));
      Files.delete(edge.paths.faultInjection());

      edge.awaitStatus(NodeDrainState.COMPLETE);
      assertThat(edge.log.stream().filter(line -> line.startsWith("kubevirt_node_drain")))
          .singleElement()
          .satisfies(
              line ->
                  assertThat(Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                      .isGreaterThan(200));
    }
  }
}
