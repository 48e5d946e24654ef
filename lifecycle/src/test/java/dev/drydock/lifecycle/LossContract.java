package dev.drydock.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.RequestInterceptor;
import dev.drydock.lifecycle.plugin.Driver;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What becomes of events whose node, transition, driver or claimer is lost. */
abstract class LossContract extends LifecycleContract {
  @Test
  void aTransitionThatIsGoneFailsTheEventAfterAWhile() {
    String node = blockedNode();
    TestAgent _ = fixture.agent(node);
    fixture.transition("short-" + node, "allNodes: true");
    fixture.event("drain-" + node, "short-" + node, node);
    awaitBlocked("drain-" + node);

    fixture.deleteTransition("short-" + node);
    fixture.passTime(node, "drain-" + node);

    assertThat(fixture.last(node).outcome()).isEqualTo("Failed");
    assertThat(fixture.last(node).message())
        .isEqualTo("LifecycleTransition short-" + node + " is gone for 30 s");
  }

  @Test
  void aDriverThatDoesNotComeBackFailsTheEventAfterAWhile() {
    String node = blockedNode();
    TestAgent driver = fixture.agent(node, LifecycleFixture.onlyDriving(), RequestInterceptor.NONE);
    TestAgent _ =
        fixture.agent(node, LifecycleFixture.onlyClaiming("claimer"), RequestInterceptor.NONE);
    fixture.transition("patient-" + node, "allNodes: true");
    fixture.event("drain-" + node, "patient-" + node, node);
    awaitBlocked("drain-" + node);

    driver.close();
    fixture.passTime(node, "drain-" + node);

    assertThat(fixture.last(node).outcome()).isEqualTo("Failed");
    assertThat(fixture.last(node).message()).isEqualTo("driver drain.slm.k8s.io is gone for 30 s");
  }

  @Test
  void aDriverThatDoesNotAnswerFailsTheEventAfterAWhile() throws Exception {
    String node = fixture.node();
    TestAgent _ = fixture.agent(node);
    String silent = "silent-" + node;
    try (AutoCloseable _ = fixture.serve(node, silent, new SilentDriver())) {
      fixture.transition(silent, silent, "allNodes: true");
      fixture.event(silent, silent, node);
      eventually().until(() -> fixture.claim(silent).equals("Claimed"));

      fixture.passTime(node, silent);
    }

    assertThat(fixture.last(node).outcome()).isEqualTo("Failed");
    assertThat(fixture.last(node).message())
        .isEqualTo("the driver does not answer: UNAVAILABLE: busy");
  }

  private static final class SilentDriver implements Driver {
    @Override
    public CompletableFuture<LifecycleTransitionResponse> start(
        StartLifecycleTransitionRequest request) {
      return CompletableFuture.failedFuture(
          Status.UNAVAILABLE.withDescription("busy").asRuntimeException());
    }

    @Override
    public CompletableFuture<LifecycleTransitionResponse> end(
        EndLifecycleTransitionRequest request) {
      return CompletableFuture.failedFuture(
          Status.UNAVAILABLE.withDescription("busy").asRuntimeException());
    }
  }

  @Test
  void aDriverThatIsStartedAgainGoesOn() {
    String node = blockedNode();
    TestAgent driver = fixture.agent(node, LifecycleFixture.onlyDriving(), RequestInterceptor.NONE);
    TestAgent _ =
        fixture.agent(node, LifecycleFixture.onlyClaiming("claimer"), RequestInterceptor.NONE);
    fixture.event("drain-" + node, LifecycleFixture.DRAIN, node);
    awaitBlocked("drain-" + node);

    driver.close();
    openBudget();
    eventually()
        .holdsFor(
            Duration.ofMillis(500), () -> assertThat(fixture.pods(node).size() == 1).isTrue());
    TestAgent _ = fixture.agent(node, LifecycleFixture.onlyDriving(), RequestInterceptor.NONE);

    fixture.awaitGone("drain-" + node);
    assertThat(fixture.pods(node)).isEmpty();
    assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
    assertThat(fixture.history(node).entries()).hasSize(1);
  }

  @Test
  void anotherClaimerGoesOn() {
    String node = blockedNode();
    TestAgent _ = fixture.agent(node, LifecycleFixture.onlyDriving(), RequestInterceptor.NONE);
    TestAgent first =
        fixture.agent(node, LifecycleFixture.onlyClaiming("claimer"), RequestInterceptor.NONE);
    fixture.event("drain-" + node, LifecycleFixture.DRAIN, node);
    awaitBlocked("drain-" + node);

    first.close();
    TestAgent _ =
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
    TestAgent _ = fixture.agent(node, LifecycleFixture.onlyDriving(), RequestInterceptor.NONE);
    RecordedWrites first = new RecordedWrites();
    RecordedWrites second = new RecordedWrites();
    TestAgent _ = fixture.agent(node, LifecycleFixture.onlyClaiming("claimer-1"), first);
    TestAgent _ = fixture.agent(node, LifecycleFixture.onlyClaiming("claimer-2"), second);

    fixture.event("drain-" + node, LifecycleFixture.DRAIN, node);
    fixture.awaitGone("drain-" + node);

    assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
    assertThat(first.ofCondition() * second.ofCondition()).isZero();
    assertThat(first.ofCondition() + second.ofCondition()).isEqualTo(2);
  }

  @Test
  void anEventGoesWithItsNode() {
    String node = blockedNode();
    TestAgent _ = fixture.agent(node);
    fixture.event("drain-" + node, LifecycleFixture.DRAIN, node);
    awaitBlocked("drain-" + node);

    var _ = fixture.kubectl("delete", "node", node, "--wait=false").output();

    fixture.awaitGone("drain-" + node);
  }
}
