package dev.drydock.lifecycle;

import static dev.drydock.lifecycle.Pier.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.CallHook;
import dev.drydock.lifecycle.plugin.Driver;
import dev.drydock.lifecycle.plugin.PluginServer;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What becomes of events whose node, transition, driver or claimer is lost. */
abstract class LossContract extends PierContract {
  @Test
  void aTransitionThatIsGoneFailsTheEventAfterAWhile() {
    String node = blockedNode();
    ShiftedClock clock = new ShiftedClock();
    Agent _ = pier.agent(pier.settings(node), CallHook.NONE, clock);
    pier.transition("short-" + node, "allNodes: true");
    pier.event("drain-" + node, "short-" + node, node);
    awaitBlocked("drain-" + node);

    pier.deleteTransition("short-" + node);
    passTime(clock, node, "drain-" + node);

    assertThat(pier.last(node).outcome()).isEqualTo("Failed");
    assertThat(pier.last(node).message())
        .isEqualTo("LifecycleTransition short-" + node + " is gone for 30 s");
  }

  @Test
  void aDriverThatDoesNotComeBackFailsTheEventAfterAWhile() {
    String node = blockedNode();
    ShiftedClock clock = new ShiftedClock();
    Agent driver = pier.agent(node, Pier.onlyDriving(), CallHook.NONE);
    Agent _ =
        pier.agent(Pier.onlyClaiming("claimer").apply(pier.settings(node)), CallHook.NONE, clock);
    pier.transition("patient-" + node, "allNodes: true");
    pier.event("drain-" + node, "patient-" + node, node);
    awaitBlocked("drain-" + node);

    driver.close();
    passTime(clock, node, "drain-" + node);

    assertThat(pier.last(node).outcome()).isEqualTo("Failed");
    assertThat(pier.last(node).message()).isEqualTo("driver drain.slm.k8s.io is gone for 30 s");
  }

  @Test
  void aDriverThatDoesNotAnswerFailsTheEventAfterAWhile() throws IOException {
    String node = pier.node();
    ShiftedClock clock = new ShiftedClock();
    AgentSettings settings = pier.settings(node);
    Agent _ = pier.agent(settings, CallHook.NONE, clock);
    String silent = "silent-" + node;
    try (PluginServer _ =
        PluginServer.start(silent, settings.place(), new SilentDriver(), (_, _) -> {})) {
      pier.transition(silent, silent, "allNodes: true");
      pier.event(silent, silent, node);
      eventually().until(() -> pier.claim(silent).equals("Claimed"));

      passTime(clock, node, silent);
    }

    assertThat(pier.last(node).outcome()).isEqualTo("Failed");
    assertThat(pier.last(node).message())
        .isEqualTo("the driver does not answer: UNAVAILABLE: busy");
  }

  private static final class SilentDriver implements Driver {
    @Override
    public LifecycleTransitionResponse start(StartLifecycleTransitionRequest request) {
      throw Status.UNAVAILABLE.withDescription("busy").asRuntimeException();
    }

    @Override
    public LifecycleTransitionResponse end(EndLifecycleTransitionRequest request) {
      throw Status.UNAVAILABLE.withDescription("busy").asRuntimeException();
    }
  }

  @Test
  void aDriverThatIsStartedAgainGoesOn() {
    String node = blockedNode();
    Agent driver = pier.agent(node, Pier.onlyDriving(), CallHook.NONE);
    Agent _ = pier.agent(node, Pier.onlyClaiming("claimer"), CallHook.NONE);
    pier.event("drain-" + node, Pier.DRAIN, node);
    awaitBlocked("drain-" + node);

    driver.close();
    openBudget();
    eventually().during(Duration.ofMillis(500)).until(() -> pier.pods(node).size() == 1);
    Agent _ = pier.agent(node, Pier.onlyDriving(), CallHook.NONE);

    pier.awaitGone("drain-" + node);
    assertThat(pier.pods(node)).isEmpty();
    assertThat(pier.last(node).outcome()).isEqualTo("Succeeded");
    assertThat(pier.history(node).entries()).hasSize(1);
  }

  @Test
  void anotherClaimerGoesOn() {
    String node = blockedNode();
    Agent _ = pier.agent(node, Pier.onlyDriving(), CallHook.NONE);
    Agent first = pier.agent(node, Pier.onlyClaiming("claimer"), CallHook.NONE);
    pier.event("drain-" + node, Pier.DRAIN, node);
    awaitBlocked("drain-" + node);

    first.close();
    Agent _ = pier.agent(node, Pier.onlyClaiming("claimer"), CallHook.NONE);
    openBudget();

    pier.awaitGone("drain-" + node);
    assertThat(pier.pods(node)).isEmpty();
    assertThat(pier.last(node).outcome()).isEqualTo("Succeeded");
    assertThat(pier.history(node).entries()).hasSize(1);
  }

  @Test
  void ofTwoClaimersOneClaims() {
    String node = pier.node();
    Agent _ = pier.agent(node, Pier.onlyDriving(), CallHook.NONE);
    Writes first = new Writes();
    Writes second = new Writes();
    Agent _ = pier.agent(node, Pier.onlyClaiming("claimer-1"), first);
    Agent _ = pier.agent(node, Pier.onlyClaiming("claimer-2"), second);

    pier.event("drain-" + node, Pier.DRAIN, node);
    pier.awaitGone("drain-" + node);

    assertThat(pier.last(node).outcome()).isEqualTo("Succeeded");
    assertThat(first.ofCondition() * second.ofCondition()).isZero();
    assertThat(first.ofCondition() + second.ofCondition()).isEqualTo(2);
  }

  @Test
  void anEventGoesWithItsNode() {
    String node = blockedNode();
    Agent _ = pier.agent(node);
    pier.event("drain-" + node, Pier.DRAIN, node);
    awaitBlocked("drain-" + node);

    var _ = pier.kubectl("delete", "node", node, "--wait=false").output();

    pier.awaitGone("drain-" + node);
  }

  /** As much as it takes; the claimer hears of it by changes of the node. */
  private void passTime(ShiftedClock clock, String node, String event) {
    int[] turn = {0};
    eventually()
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              clock.forward(Duration.ofSeconds(16));
              var _ =
                  pier.kubectl("label", "node", node, "--overwrite", "turn=" + turn[0]++).output();
              return pier.find(event).isEmpty();
            });
  }
}
