package dev.drydock.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.lifecycle.compat.CompatLifecycleTransition;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Json;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.lifecycle.driver.DriverNaming;
import dev.drydock.lifecycle.plugin.Driver;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import dev.drydock.testkit.DyingProcess;
import dev.drydock.testkit.TestCluster;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** What drivers, claimers and people know from the first driver and its kubelet. */
class OriginalLifecycleTest extends LifecycleContract {
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  @BeforeEach
  void simulate() {
    fixture = new LifecycleFixture(TestCluster.simulated(), "default");
  }

  @Override
  void open(LifecycleFixture own) {
    // made by simulate()
  }

  /** Answers as a row of the table says. */
  private static final class RowDriver implements Driver {
    private final String toStart;
    private final String toEnd;
    private int starts;
    private int ends;

    RowDriver(String toStart, @Nullable String toEnd) {
      this.toStart = toStart;
      this.toEnd = toEnd == null ? "" : toEnd;
    }

    @Override
    public CompletableFuture<LifecycleTransitionResponse> start(
        StartLifecycleTransitionRequest request) {
      starts++;
      return answer(toStart, request.getNodeName());
    }

    @Override
    public CompletableFuture<LifecycleTransitionResponse> end(
        EndLifecycleTransitionRequest request) {
      ends++;
      return answer(toEnd, request.getNodeName());
    }

    private static CompletableFuture<LifecycleTransitionResponse> answer(String said, String node) {
      LifecycleTransitionResponse.Builder response =
          LifecycleTransitionResponse.newBuilder().setNodeName(node);
      if (said.startsWith("refused: ")) {
        return CompletableFuture.completedFuture(response.setError(said).build());
      }
      if (said.startsWith("drain-")) {
        return CompletableFuture.completedFuture(response.setLifecycleCondition(said).build());
      }
      return CompletableFuture.failedFuture(
          Status.fromCode(Status.Code.valueOf(said)).asRuntimeException());
    }
  }

  @ParameterizedTest(name = "a driver that {0}")
  @CsvFileSource(resources = "/original/calls.csv", numLinesToSkip = 1)
  void anAnswerIsFinalWhateverItsCode(
      String what, String toStart, @Nullable String toEnd, String outcome, int starts, int ends)
      throws Exception {
    String node = fixture.node();
    TestAgent _ = fixture.agent(node);
    RowDriver driver = new RowDriver(toStart, toEnd);
    fixture.transition("row", "row-driver", "allNodes: true");
    try (AutoCloseable _ = fixture.serve(node, "row-driver", driver)) {
      fixture.event("e", "row", node);
      fixture.awaitGone("e");
    }

    assertThat(fixture.last(node).outcome()).as(what).isEqualTo(outcome);
    assertThat(driver.starts).as("Starts").isEqualTo(starts);
    assertThat(driver.ends).as("Ends").isEqualTo(ends);
  }

  @Test
  void eventsThatWaitForOthersAreWrittenToOnce() {
    String node = fixture.node();
    List<String> writes = new CopyOnWriteArrayList<>();
    RequestInterceptor noting =
        new RequestInterceptor() {
          @Override
          public void before(ApiCall call) {
            if (DyingProcess.isWrite(call) && call.path().contains("/lifecycleevents/e-")) {
              writes.add(call.verb() + " " + call.path());
            }
          }

          @Override
          public void after(ApiCall call, int code) {}
        };
    int events = 40;
    for (int i = 0; i < events; i++) {
      fixture.event("e-%02d".formatted(i), LifecycleFixture.DRAIN, node);
    }

    TestAgent _ = fixture.agent(node, settings -> settings, noting);
    for (int i = 0; i < events; i++) {
      fixture.awaitGone("e-%02d".formatted(i));
    }

    assertThat(writes.stream().filter(write -> write.contains("/status")))
        .as("waits, claim and end of each, and the driver's word")
        .hasSizeLessThanOrEqualTo(4 * events);
  }

  @Test
  void successByHandStopsTheDrainAndIsNotBelieved() {
    String node = blockedNode();
    TestAgent _ = fixture.agent(node);
    fixture.event("drain", LifecycleFixture.DRAIN, node);
    awaitBlocked("drain");

    fixture
        .cluster()
        .client()
        .genericKubernetesResources("lifecycle.k8s.io/v1alpha1", "LifecycleEvent")
        .withName("drain")
        .subresource("status")
        .patch(MERGE, "{\"status\":{\"claimStatus\":\"Succeeded\"}}");

    fixture.awaitGone("drain");
    eventually().until(() -> !fixture.isCordoned(node));
    assertThat(fixture.last(node).outcome()).isEqualTo("Failed");
    assertThat(fixture.last(node).message())
        .isEqualTo(
            "claimStatus Succeeded was written by somebody else; the driver has not said so");
    openBudget();
    eventually().holdsFor(Duration.ofMinutes(2), () -> assertThat(fixture.pods(node)).hasSize(1));
  }

  @Test
  void aNodeIsReleasedWhenItsHoldsCanBeReadAgain() {
    String node = blockedNode();
    TestAgent _ = fixture.agent(node);
    fixture.event("drain", LifecycleFixture.DRAIN, node);
    awaitBlocked("drain");
    String holds = fixture.read(node).getMetadata().getAnnotations().get("drydock.dev/holds");
    annotate(node, "\"not json\"");
    fixture.delete("drain");

    eventually().until(() -> fixture.message("drain").contains("is not readable"));
    assertThat(fixture.isCordoned(node)).isTrue();

    annotate(node, Json.object().textNode(holds).toString());
    fixture.awaitGone("drain");
    eventually().until(() -> !fixture.isCordoned(node));
  }

  @Test
  void errorsBeginWithWhatTheDriverTried() {
    String node = fixture.node();
    TestAgent _ = fixture.agent(node);
    annotate(node, "\"not json\"");

    fixture.event("drain", LifecycleFixture.DRAIN, node);
    eventually()
        .untilAsserted(
            () -> assertThat(fixture.last(node).message()).startsWith("cordon node: node " + node));
    fixture.event("uncordon", LifecycleFixture.UNCORDON, node);
    eventually()
        .untilAsserted(
            () ->
                assertThat(fixture.last(node).message()).startsWith("uncordon node: node " + node));
  }

  private void annotate(String node, String json) {
    var _ =
        fixture
            .cluster()
            .client()
            .nodes()
            .withName(node)
            .patch(
                MERGE,
                "{\"metadata\":{\"annotations\":{\"drydock.dev/holds\":%s}}}".formatted(json));
  }

  @ParameterizedTest
  @CsvSource({"PT0.3S, 300ms", "PT1.5S, 1.5s", "PT5M, 5m0s"})
  void theTimeIsPublishedExactly(Duration sla, String text) {
    String node = fixture.node();
    TestAgent _ = fixture.agent(node, settings -> withSla(settings, sla), RequestInterceptor.NONE);

    eventually()
        .untilAsserted(
            () -> assertThat(transition(LifecycleFixture.DRAIN).getSpec().sla()).isEqualTo(text));
  }

  private static LifecycleAgentSettings withSla(LifecycleAgentSettings usual, Duration sla) {
    return new LifecycleAgentSettings(
        usual.node(),
        usual.cordNamespace(),
        usual.identity(),
        usual.driverNames(),
        usual.place(),
        sla,
        usual.evictionTimeout(),
        usual.gracePeriodSeconds(),
        usual.qps(),
        usual.burst(),
        usual.atSla(),
        usual.uncordonWhenCancelled(),
        usual.claims());
  }

  @Test
  void theLaterDriverHasTheTransitionsOfBothGenerations() {
    String node = fixture.node();
    TestAgent _ =
        fixture.agent(
            node,
            usual ->
                new LifecycleAgentSettings(
                    usual.node(),
                    usual.cordNamespace(),
                    usual.identity(),
                    DriverNaming.of("kubectl-server-side-drain", true),
                    usual.place(),
                    usual.sla(),
                    usual.evictionTimeout(),
                    usual.gracePeriodSeconds(),
                    usual.qps(),
                    usual.burst(),
                    usual.atSla(),
                    usual.uncordonWhenCancelled(),
                    usual.claims()),
            RequestInterceptor.NONE);

    for (String name :
        List.of(
            "kubectl-server-side-drain",
            "kubectl-server-side-drain-uncordon",
            "kssd-drain",
            "kssd-maintenance-complete",
            "kssd-maintenance-completed")) {
      eventually()
          .untilAsserted(
              () ->
                  assertThat(transition(name).getSpec().driver())
                      .isEqualTo("kubectl-server-side-drain"));
    }
    fixture.event("drain", "kssd-drain", node);
    fixture.awaitGone("drain");
    assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
  }

  private CompatLifecycleTransition transition(String name) {
    return fixture
        .cluster()
        .client()
        .resources(CompatLifecycleTransition.class)
        .withName(name)
        .get();
  }
}
