package dev.drydock.lifecycle;

import static dev.drydock.lifecycle.LifecycleFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.RequestInterceptor;
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
abstract class LossContract extends LifecycleContract {
  @Test
  void aTransitionThatIsGoneFailsTheEventAfterAWhile() {
    String node = blockedNode();
    ShiftedClock clock = new ShiftedClock();
    Agent _ = fixture.agent(fixture.settings(node), RequestInterceptor.NONE, clock);
    fixture.transition("short-" + node, "allNodes: true");
    fixture.event("drain-" + node, "short-" + node, node);
    awaitBlocked("drain-" + node);

    fixture.deleteTransition("short-" + node);
    passTime(clock, node, "drain-" + node);

    assertThat(fixture.last(node).outcome()).isEqualTo("Failed");
    assertThat(fixture.last(node).message())
        .isEqualTo("LifecycleTransition short-" + node + " is gone for 30 s");
  }

  @Test
  void aDriverThatDoesNotComeBackFailsTheEventAfterAWhile() {
    String node = blockedNode();
    ShiftedClock clock = new ShiftedClock();
    Agent driver = fixture.agent(node, LifecycleFixture.onlyDriving(), RequestInterceptor.NONE);
    Agent _ =
        fixture.agent(
            LifecycleFixture.onlyClaiming("claimer").apply(fixture.settings(node)),
            RequestInterceptor.NONE,
            clock);
    fixture.transition("patient-" + node, "allNodes: true");
    fixture.event("drain-" + node, "patient-" + node, node);
    awaitBlocked("drain-" + node);

    driver.close();
    passTime(clock, node, "drain-" + node);

    assertThat(fixture.last(node).outcome()).isEqualTo("Failed");
    assertThat(fixture.last(node).message()).isEqualTo("driver drain.slm.k8s.io is gone for 30 s");
  }

  @Test
  void aDriverThatDoesNotAnswerFailsTheEventAfterAWhile() throws IOException {
    String node = fixture.node();
    ShiftedClock clock = new ShiftedClock();
    AgentSettings settings = fixture.settings(node);
    Agent _ = fixture.agent(settings, RequestInterceptor.NONE, clock);
    String silent = "silent-" + node;
    try (PluginServer _ =
        PluginServer.start(silent, settings.place(), new SilentDriver(), (_, _) -> {})) {
      fixture.transition(silent, silent, "allNodes: true");
      fixture.event(silent, silent, node);
      eventually().until(() -> fixture.claim(silent).equals("Claimed"));

      passTime(clock, node, silent);
    }

    assertThat(fixture.last(node).outcome()).isEqualTo("Failed");
    assertThat(fixture.last(node).message())
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
    Agent driver = fixture.agent(node, LifecycleFixture.onlyDriving(), RequestInterceptor.NONE);
    Agent _ =
        fixture.agent(node, LifecycleFixture.onlyClaiming("claimer"), RequestInterceptor.NONE);
    fixture.event("drain-" + node, LifecycleFixture.DRAIN, node);
    awaitBlocked("drain-" + node);

    driver.close();
    openBudget();
    eventually().during(Duration.ofMillis(500)).until(() -> fixture.pods(node).size() == 1);
    Agent _ = fixture.agent(node, LifecycleFixture.onlyDriving(), RequestInterceptor.NONE);

    fixture.awaitGone("drain-" + node);
    assertThat(fixture.pods(node)).isEmpty();
    assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
    assertThat(fixture.history(node).entries()).hasSize(1);
  }

  @Test
  void anotherClaimerGoesOn() {
    String node = blockedNode();
    Agent _ = fixture.agent(node, LifecycleFixture.onlyDriving(), RequestInterceptor.NONE);
    Agent first =
        fixture.agent(node, LifecycleFixture.onlyClaiming("claimer"), RequestInterceptor.NONE);
    fixture.event("drain-" + node, LifecycleFixture.DRAIN, node);
    awaitBlocked("drain-" + node);

    first.close();
    Agent _ =
        fixture.agent(node, LifecycleFixture.onlyClaiming("claimer"), RequestInterceptor.NONE);
    openBudget();

    fixture.awaitGone("drain-" + node);
    assertThat(fixture.pods(node)).isEmpty();
    assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
    assertThat(fixture.history(node).entries()).hasSize(1);
  }

  @Test
  void ofTwoClaimersOneClaims() {
    String node = fixture.node();
    Agent _ = fixture.agent(node, LifecycleFixture.onlyDriving(), RequestInterceptor.NONE);
    RecordedWrites first = new RecordedWrites();
    RecordedWrites second = new RecordedWrites();
    Agent _ = fixture.agent(node, LifecycleFixture.onlyClaiming("claimer-1"), first);
    Agent _ = fixture.agent(node, LifecycleFixture.onlyClaiming("claimer-2"), second);

    fixture.event("drain-" + node, LifecycleFixture.DRAIN, node);
    fixture.awaitGone("drain-" + node);

    assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
    assertThat(first.ofCondition() * second.ofCondition()).isZero();
    assertThat(first.ofCondition() + second.ofCondition()).isEqualTo(2);
  }

  @Test
  void anEventGoesWithItsNode() {
    String node = blockedNode();
    Agent _ = fixture.agent(node);
    fixture.event("drain-" + node, LifecycleFixture.DRAIN, node);
    awaitBlocked("drain-" + node);

    var _ = fixture.kubectl("delete", "node", node, "--wait=false").output();

    fixture.awaitGone("drain-" + node);
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
                  fixture
                      .kubectl("label", "node", node, "--overwrite", "turn=" + turn[0]++)
                      .output();
              return fixture.find(event).isEmpty();
            });
  }
}
