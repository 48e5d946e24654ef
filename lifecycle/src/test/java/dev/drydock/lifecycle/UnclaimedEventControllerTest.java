package dev.drydock.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.lifecycle.unclaimed.UnclaimedEventController;
import dev.drydock.testkit.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The operator beside agents that work, lag behind or are gone. */
class UnclaimedEventControllerTest extends LifecycleContract {
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @BeforeEach
  void simulate() {
    fixture = new LifecycleFixture(TestCluster.simulated(), "default");
  }

  @Override
  void open(LifecycleFixture own) {
    // made by simulate()
  }

  private UnclaimedEventController operator(RequestInterceptor interceptor) {
    UnclaimedEventController operator =
        new UnclaimedEventController(fixture.cluster().process(interceptor).kube(), PATIENCE);
    operator.start();
    return operator;
  }

  /** As an agent does whose claim the operator's cache does not show yet. */
  private void claim(String event) {
    Resource<GenericKubernetesResource> there =
        fixture
            .cluster()
            .client()
            .genericKubernetesResources(LifecycleNames.COMPAT_GROUP + "/v1alpha1", "LifecycleEvent")
            .withName(event);
    var _ =
        there.patch(
            MERGE,
            "{\"metadata\":{\"finalizers\":[\"%s\"]}}".formatted(LifecycleNames.CLAIM_FINALIZER));
    var _ =
        there
            .subresource("status")
            .patch(MERGE, "{\"status\":{\"claimStatus\":\"Claimed\",\"driver\":\"d\"}}");
  }

  @Test
  void anEventThatWasClaimedJustNowDoesNotFail() {
    String node = fixture.node();
    fixture.event("drain", LifecycleFixture.DRAIN, node);
    AtomicBoolean claimed = new AtomicBoolean();
    RequestInterceptor claimsFirst =
        new RequestInterceptor() {
          @Override
          public void before(ApiCall call) {
            boolean ends = call.path().endsWith("/lifecycleevents/drain/status");
            if (ends && claimed.compareAndSet(false, true)) {
              claim("drain");
            }
          }

          @Override
          public void after(ApiCall call, int code) {}
        };
    try (UnclaimedEventController _ = operator(claimsFirst)) {
      eventually().until(claimed::get);

      eventually()
          .holdsFor(
              Duration.ofMinutes(10),
              () -> assertThat(fixture.claim("drain")).isEqualTo("Claimed"));
      assertThat(fixture.told(node)).noneMatch(line -> line.contains("not claimed"));
    }
  }

  /** Behind another one that waits for a budget. */
  private TestAgent queue(String node) {
    TestAgent agent = fixture.agent(node);
    fixture.event("drain", LifecycleFixture.DRAIN, node);
    awaitBlocked("drain");
    fixture.event("next", LifecycleFixture.DRAIN, node);
    eventually().until(() -> fixture.message("next").contains("that come first"));
    return agent;
  }

  @Test
  void anEventThatIsQueuedWaitsAndFailsWhenItsNodeIsGone() {
    String node = blockedNode();
    TestAgent agent = queue(node);
    try (UnclaimedEventController _ = operator(RequestInterceptor.NONE)) {
      eventually()
          .holdsFor(
              PATIENCE.multipliedBy(2),
              () -> assertThat(fixture.claim("next")).isEqualTo("Pending"));

      agent.close();
      var _ = fixture.cluster().client().nodes().withName(node).delete();

      eventually().until(() -> fixture.claim("next").equals("Failed"));
      assertThat(fixture.message("next")).isEqualTo("there is no node " + node);
    }
  }

  @Test
  void anEventThatIsQueuedFailsWhenItsTurnHasComeAndItsAgentIsGone() {
    String node = blockedNode();
    TestAgent agent = queue(node);
    try (UnclaimedEventController _ = operator(RequestInterceptor.NONE)) {
      agent.close();
      fixture.delete("drain");
      eventually().atMost(PATIENCE.multipliedBy(2)).until(() -> fixture.find("drain").isEmpty());

      eventually()
          .holdsFor(
              PATIENCE.minusSeconds(15),
              () -> assertThat(fixture.claim("next")).isEqualTo("Pending"));
      eventually()
          .atMost(PATIENCE.multipliedBy(2))
          .until(() -> fixture.claim("next").equals("Failed"));
      assertThat(fixture.message("next")).contains("is 'drydock agent' running on node " + node);
    }
  }
}
