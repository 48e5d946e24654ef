package dev.drydock.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.call.Call;
import dev.drydock.sim.call.CallInterceptor;
import dev.drydock.testkit.ShiftedTime;
import dev.drydock.testkit.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An API server that the agent cannot use, in virtual time. */
class EdgeOutageTest {
  private static final int NO_OUTAGE = -1;
  private static final int NO_ANSWER = 0;

  @TempDir private Path folder;
  private final AtomicInteger answer = new AtomicInteger(NO_OUTAGE);

  /** The next patch of the node is carried out, but its answer and the connection are lost. */
  private final AtomicBoolean losesNextPatch = new AtomicBoolean();

  private EdgeFixture edge;

  /** The same answer to all that the agent asks. */
  private final class Outage implements CallInterceptor {
    @Override
    public void before(Call call) {
      int code = answer.get();
      if (code == NO_OUTAGE || !call.user().equals(EdgeFixture.AGENT)) {
        return;
      }
      if (code == NO_ANSWER) {
        throw new ConnectionLost();
      }
      throw new StatusException(code, "Outage", "no " + code);
    }

    @Override
    public void after(Call call, int code) {
      boolean cordons = call.verb().equals("patch") && call.resource().equals("nodes");
      if (cordons
          && call.user().equals(EdgeFixture.AGENT)
          && losesNextPatch.compareAndSet(true, false)) {
        answer.set(NO_ANSWER);
        throw new ConnectionLost();
      }
    }
  }

  @BeforeEach
  void cluster() {
    edge =
        new EdgeFixture(
            TestCluster.simulated(SimulatedCluster.Settings.defaults().withHook(new Outage())),
            folder);
  }

  @AfterEach
  void end() {
    edge.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {NO_ANSWER, 500, 503})
  void aMachineWithoutItsApiServerRebootsAfterTheTimeout(int code) {
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    answer.set(code);
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.awaitStatus(NodeDrainState.STARTING);

    edge.eventually().holdsFor(Duration.ofSeconds(280), () -> assertThat(edge.commands).isEmpty());
    edge.eventually().atMost(Duration.ofMinutes(2)).until(() -> !edge.commands.isEmpty());
    assertThat(edge.commands).containsExactly("reboot");
    assertThat(edge.log).noneMatch(line -> line.startsWith("kubevirt_node_drain"));
  }

  /** As a machine without a battery does after its boot, before its API server has started. */
  @ParameterizedTest
  @ValueSource(longs = {20_000, 1, -1, -20_000})
  void settingTheClockChangesNothingAboutTheTimeout(long days) {
    AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    edge.withTime(time -> new SetClock(time, ahead)).start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    answer.set(NO_ANSWER);
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.awaitStatus(NodeDrainState.STARTING);
    edge.cluster.pass(Duration.ofMinutes(1));

    ahead.set(Duration.ofDays(days));

    edge.eventually().holdsFor(Duration.ofSeconds(200), () -> assertThat(edge.commands).isEmpty());
    edge.eventually().atMost(Duration.ofMinutes(2)).until(() -> !edge.commands.isEmpty());
  }

  @ParameterizedTest
  @ValueSource(longs = {20_000, -20_000})
  void settingTheClockHoldsUpNoDrain(long days) {
    AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    edge.withTime(time -> new SetClock(time, ahead)).start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    edge.runPod("web");
    answer.set(NO_ANSWER);
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.cluster.pass(Duration.ofMinutes(2));
    ahead.set(Duration.ofDays(days));
    answer.set(NO_OUTAGE);

    edge.eventually().atMost(Duration.ofMinutes(10)).until(() -> !edge.commands.isEmpty());
    assertThat(edge.hasPod("web")).as("drained").isFalse();
  }

  @Test
  void aServerThatComesBackInTimeIsUsed() {
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    edge.runPod("web");
    answer.set(NO_ANSWER);
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.cluster.pass(Duration.ofMinutes(4));
    answer.set(NO_OUTAGE);

    edge.eventually().until(() -> !edge.commands.isEmpty());
    assertThat(edge.hasPod("web")).as("drained").isFalse();
  }

  @Test
  void whoeverMayDoNothingHasFailedAndSaysWhy() {
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    answer.set(403);
    edge.ask(EdgeOperation.REBOOT, "reboot");

    edge.awaitStatus(NodeDrainState.FAILEDCORDON);
    edge.eventually().holdsFor(Duration.ofHours(1), () -> assertThat(edge.commands).isEmpty());
    assertThat(edge.paths.progress()).content().contains("no 403");
    answer.set(NO_OUTAGE);
    edge.ask(EdgeOperation.REBOOT, "reboot");

    edge.eventually().until(() -> !edge.commands.isEmpty());
  }

  @Test
  void whoeverMayNotEvenReadTheAndonCordHasFailedToo() {
    answer.set(403);
    edge.publish(edge.paths.clusterConfig(), "{\"Initialized\":true,\"Valid\":true}");
    edge.start();
    edge.ask(EdgeOperation.REBOOT, "reboot");

    edge.awaitStatus(NodeDrainState.FAILEDCORDON);
    assertThat(edge.commands).isEmpty();
  }

  @Test
  void anOutageDuringTheDrainIsWaitedFor() {
    edge.publish(edge.paths.faultInjection(), "");
    edge.start();
    edge.runPod("web");
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.awaitStatus(NodeDrainState.CORDONED);
    answer.set(NO_ANSWER);
    edge.cluster.pass(Duration.ofMinutes(30));
    assertThat(edge.status().state()).isEqualTo(NodeDrainState.CORDONED);
    answer.set(NO_OUTAGE);
    assertThat(edge.paths.faultInjection().toFile().delete()).isTrue();

    edge.eventually().until(() -> !edge.commands.isEmpty());
    assertThat(edge.hasPod("web")).isFalse();
  }

  @Test
  void aMachineThatNeverSawItsApiServerGoesAfterAMinute() {
    answer.set(NO_ANSWER);
    edge.start();
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.cluster.pass(Duration.ofSeconds(50));
    assertThat(edge.commands).isEmpty();

    edge.cluster.pass(Duration.ofSeconds(20));
    assertThat(edge.commands).as("unknown is not waited for for ever").containsExactly("reboot");
    assertThat(Files.exists(edge.paths.status())).isTrue();
  }

  @Test
  void aClockThatIsSetAfterTheBootShortensNoWait() {
    answer.set(NO_ANSWER);
    AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    edge.withTime(time -> new ShiftedTime(time, ahead)).start();
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.cluster.pass(Duration.ofSeconds(10));

    ahead.set(Duration.ofDays(365));
    edge.cluster.pass(Duration.ofSeconds(30));

    assertThat(edge.commands).isEmpty();
  }

  @Test
  void aNodeWhoseCordonWasNotAnsweredIsReleasedWhenTheDrainIsCancelled() {
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    losesNextPatch.set(true);
    edge.request(DrainRequester.DEVICEOP, "reboot");
    edge.eventually().until(() -> edge.isCordoned(edge.node));
    edge.cluster.pass(Duration.ofSeconds(10));
    edge.publish(edge.paths.cancel(), "");
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    answer.set(NO_OUTAGE);

    edge.eventually().until(() -> !edge.isCordoned(edge.node));
    assertThat(edge.holds(edge.node)).isEmpty();
  }
}
