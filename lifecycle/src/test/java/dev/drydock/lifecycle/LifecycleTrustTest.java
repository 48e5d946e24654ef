package dev.drydock.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.contracts.lifecycle.compat.CompatLifecycleTransition;
import dev.drydock.kube.Kube;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.lifecycle.api.LifecycleNodeCaches;
import dev.drydock.lifecycle.claim.LeaseWait;
import dev.drydock.lifecycle.unclaimed.UnclaimedEventController;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.ShiftedTime;
import dev.drydock.testkit.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * What other clients and people do to events, transitions and nodes while an agent works there, or
 * while it is away.
 */
class LifecycleTrustTest extends LifecycleContract {
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  @BeforeEach
  void simulate() {
    // as somebody else may have defined the kinds: any text is a time
    String lax = CrdCatalog.yaml(CrdCatalog.COMPATIBLE).replaceAll("\n *pattern: .*", "");
    fixture = new LifecycleFixture(TestCluster.simulated(), "default", lax);
  }

  @Override
  void open(LifecycleFixture own) {
    // made by simulate()
  }

  /** Transitions for one node go only with a driver that was there, or when the agent starts. */
  @Nested
  class Transitions {
    @Test
    void aDriverMayPublishFirstAndRegisterLater() throws Exception {
      String node = fixture.node();
      TestAgent _ = fixture.agent(node);
      fixture.cluster().pass(Duration.ofMinutes(2));
      fixture.transition("late", "late", "nodeName: " + node);
      fixture.event("early", "late", node);

      eventually().holdsFor(Duration.ofMinutes(2), () -> assertThat(isPublished("late")).isTrue());

      try (AutoCloseable _ = fixture.serve(node, "late", new QuickDriver())) {
        fixture.awaitGone("early");
      }
      assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
    }

    @Test
    void thoseOfADriverThatDeregisteredGo() throws Exception {
      String node = fixture.node();
      TestAgent _ = fixture.agent(node);
      AutoCloseable driver = fixture.serve(node, "leaving", new QuickDriver());
      fixture.cluster().pass(Duration.ofSeconds(1));
      fixture.transition("of-node", "leaving", "nodeName: " + node);
      fixture.transition("of-all", "leaving", "allNodes: true");
      fixture.transition("of-other", "other", "nodeName: " + node);
      fixture.cluster().pass(Duration.ofMinutes(1));

      driver.close();
      eventually()
          .holdsFor(Duration.ofSeconds(28), () -> assertThat(isPublished("of-node")).isTrue());
      eventually().until(() -> !isPublished("of-node"));
      assertThat(isPublished("of-all")).isTrue();
      assertThat(isPublished("of-other")).isTrue();

      fixture.transition("of-node", "leaving", "nodeName: " + node);
      eventually()
          .holdsFor(Duration.ofMinutes(2), () -> assertThat(isPublished("of-node")).isTrue());
    }

    @Test
    void thoseThatNobodyNeedsGoWhenTheAgentStarts() {
      String node = fixture.node();
      fixture.transition("left", "gone", "nodeName: " + node);
      fixture.transition("awaited", "gone", "nodeName: " + node);
      fixture.event("waiting", "awaited", node);

      TestAgent _ = fixture.agent(node);

      eventually().until(() -> !isPublished("left"));
      assertThat(isPublished("awaited")).isTrue();
    }

    @Test
    void aDriverThatWasRepointedIsPutBack() {
      String node = fixture.node();
      TestAgent _ = fixture.agent(node);
      eventually().until(() -> isPublished(LifecycleFixture.DRAIN));

      for (String field : new String[] {"driver", "start", "end"}) {
        var _ =
            transitions(LifecycleFixture.DRAIN)
                .patch(MERGE, "{\"spec\":{\"%s\":\"evil\"}}".formatted(field));
      }

      eventually()
          .untilAsserted(
              () ->
                  assertThat(transitions(LifecycleFixture.DRAIN).get().getSpec())
                      .extracting(spec -> spec.driver() + spec.start() + spec.end())
                      .isEqualTo(LifecycleFixture.DRAIN + "drain-starteddrain-complete"));
    }

    @Test
    void twoAgentsWithDifferentTimesDoNotOverwriteEachOtherForEver() {
      String node = fixture.node();
      TestAgent _ = fixture.agent(node);
      eventually().until(() -> isPublished(LifecycleFixture.DRAIN));
      var _ = transitions(LifecycleFixture.DRAIN).patch(MERGE, "{\"spec\":{\"sla\":\"9m\"}}");

      eventually()
          .holdsFor(
              Duration.ofMinutes(1),
              () ->
                  assertThat(transitions(LifecycleFixture.DRAIN).get().getSpec().sla())
                      .isEqualTo("9m"));
    }
  }

  /** Events that cannot be read. */
  @Nested
  class Unreadable {
    @Test
    void theDrainOfADeletedEventEnds() {
      String node = blockedNode();
      TestAgent _ = fixture.agent(node);
      fixture.event("odd", LifecycleFixture.DRAIN, node);
      awaitBlocked("odd");
      status("odd", "{\"sla\":\"2026-01-01T00:00:00+99:99\"}");
      fixture.cluster().pass(Duration.ofSeconds(5));

      var _ = untyped("odd").delete();
      awaitDeleted("odd");
      openBudget();

      eventually().until(() -> !fixture.isCordoned(node));
      eventually().holdsFor(Duration.ofMinutes(2), () -> assertThat(fixture.pods(node)).hasSize(1));
      assertThat(fixture.last(node).outcome()).isEqualTo("Failed");
    }

    @Test
    void theDrainOfAnEventThatLostItsFinalizerEndsWithTheEvent() {
      String node = blockedNode();
      TestAgent _ = fixture.agent(node);
      fixture.event("odd", LifecycleFixture.DRAIN, node);
      awaitBlocked("odd");
      status("odd", "{\"sla\":\"2026-01-01T00:00:00+99:99\"}");
      fixture.cluster().pass(Duration.ofSeconds(5));
      metadata("odd", "{\"finalizers\":null}");

      var _ = untyped("odd").delete();
      awaitDeleted("odd");
      openBudget();

      eventually().until(() -> !fixture.isCordoned(node));
      eventually().holdsFor(Duration.ofMinutes(2), () -> assertThat(fixture.pods(node)).hasSize(1));
    }

    @Test
    void aClaimedEventSaysWhyItWaitsAndNoOtherIsClaimedBesideIt() {
      String node = blockedNode();
      TestAgent _ = fixture.agent(node);
      fixture.event("odd", LifecycleFixture.DRAIN, node);
      awaitBlocked("odd");
      status("odd", "{\"sla\":\"2026-01-01T00:00:00+99:99\"}");
      eventually().until(() -> message("odd").contains("status.sla"));
      fixture.event("next", LifecycleFixture.DRAIN, node);

      eventually()
          .until(() -> fixture.message("next").startsWith("waits for LifecycleEvents of node"));
      assertThat(fixture.claim("next")).isEqualTo("Pending");

      status("odd", "{\"sla\":null}");
      openBudget();
      fixture.awaitGone("odd");
      fixture.awaitGone("next");
      assertThat(fixture.history(node).entries())
          .extracting(entry -> entry.event() + " " + entry.outcome())
          .containsExactly("odd Succeeded", "next Succeeded");
    }
  }

  /** A person who returns the node to service while its agent is away. */
  @Nested
  class Uncordoned {
    @Test
    void whileTheAgentWasAwayWins() {
      String node = away();
      uncordon(node);

      TestAgent _ = fixture.agent(node);

      assertPersonWins(node);
    }

    @Test
    void winsAlsoIfTheHoldsWereDroppedSince() {
      String node = away();
      uncordon(node);
      var _ = fixture.engine().holds().observe(node);
      assertThat(fixture.holders(node)).isEmpty();

      TestAgent _ = fixture.agent(node);

      assertPersonWins(node);
    }

    @Test
    void anAgentThatReturnsToItsHeldNodeGoesOn() {
      String node = away();

      TestAgent _ = fixture.agent(node);
      openBudget();

      fixture.awaitGone("drain");
      assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
      assertThat(fixture.isCordoned(node)).isTrue();
    }

    private String away() {
      String node = blockedNode();
      TestAgent first = fixture.agent(node);
      fixture.event("drain", LifecycleFixture.DRAIN, node);
      awaitBlocked("drain");
      first.close();
      assertThat(fixture.isCordoned(node)).isTrue();
      return node;
    }

    private void uncordon(String node) {
      var _ =
          fixture
              .cluster()
              .client()
              .nodes()
              .withName(node)
              .patch(MERGE, "{\"spec\":{\"unschedulable\":null}}");
    }

    private void assertPersonWins(String node) {
      fixture.awaitGone("drain");
      assertThat(fixture.last(node).outcome()).isEqualTo("Failed");
      assertThat(fixture.last(node).message())
          .contains("the node was uncordoned while the driver was away");
      openBudget();
      eventually()
          .holdsFor(
              Duration.ofMinutes(1),
              () -> {
                assertThat(fixture.isCordoned(node)).isFalse();
                assertThat(fixture.pods(node)).hasSize(1);
              });
    }
  }

  /** Events that somebody else claimed, or that lost the marks of our claim. */
  @Nested
  class Claimed {
    @Test
    void byHandIsDriven() {
      String node = fixture.node();
      fixture.transition("given", "allNodes: true");
      fixture.event("drain", "given", node);
      status("drain", "{\"claimStatus\":\"Claimed\"}");

      TestAgent _ = fixture.agent(node);

      fixture.awaitGone("drain");
      assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
    }

    @Test
    void withoutItsAnnotationIsDrivenOnAndAlone() {
      String node = blockedNode();
      TestAgent _ = fixture.agent(node);
      fixture.event("drain", LifecycleFixture.DRAIN, node);
      awaitBlocked("drain");
      metadata("drain", "{\"annotations\":{\"%s\":null}}".formatted(LifecycleNames.CLAIMED_BY));
      fixture.event("next", LifecycleFixture.DRAIN, node);

      eventually()
          .until(() -> fixture.message("next").startsWith("waits for LifecycleEvents of node"));
      eventually()
          .holdsFor(
              Duration.ofSeconds(30), () -> assertThat(fixture.claim("next")).isEqualTo("Pending"));

      openBudget();
      fixture.awaitGone("drain");
      fixture.awaitGone("next");
      assertThat(fixture.history(node).entries())
          .extracting(entry -> entry.event() + " " + entry.outcome())
          .containsExactly("drain Succeeded", "next Succeeded");
    }

    @Test
    void withoutItsAnnotationCanBeDeleted() {
      String node = blockedNode();
      TestAgent _ = fixture.agent(node);
      fixture.event("drain", LifecycleFixture.DRAIN, node);
      awaitBlocked("drain");
      metadata("drain", "{\"annotations\":{\"%s\":null}}".formatted(LifecycleNames.CLAIMED_BY));

      fixture.delete("drain");

      fixture.awaitGone("drain");
      eventually().until(() -> !fixture.isCordoned(node));
    }

    @Test
    void byAnExternalControllerIsLeftToItAndExplained() {
      String node = fixture.node();
      TestAgent _ = fixture.agent(node);
      fixture.transition("external", "nobody-here", "nodeName: " + node);
      fixture.event("theirs", "external", node);
      status("theirs", "{\"claimStatus\":\"Claimed\",\"driver\":\"nobody-here\"}");
      fixture.event("ours", LifecycleFixture.DRAIN, node);

      eventually()
          .until(() -> fixture.message("ours").startsWith("waits for LifecycleEvents of node"));
      eventually()
          .holdsFor(
              Duration.ofMinutes(2),
              () -> {
                assertThat(fixture.claim("theirs")).isEqualTo("Claimed");
                assertThat(fixture.find("theirs").orElseThrow().getMetadata().getFinalizers())
                    .isEmpty();
                assertThat(fixture.claim("ours")).isEqualTo("Pending");
                assertThat(fixture.told(node))
                    .noneMatch(line -> line.startsWith("LifecycleEventUnattended"));
              });
      eventually()
          .atMost(Duration.ofMinutes(10))
          .until(
              () ->
                  fixture.told(node).stream()
                      .anyMatch(line -> line.startsWith("LifecycleEventUnattended: theirs: ")));

      fixture.delete("theirs");
      fixture.awaitGone("theirs");
      fixture.awaitGone("ours");
      assertThat(fixture.last(node).event()).isEqualTo("ours");
      assertThat(isPublished("external")).isTrue();
    }
  }

  /** An agent that cannot get its Lease. */
  @Nested
  class Lease {
    @Test
    void thatIsRefusedIsNamedOnWaitingEvents() {
      String node = fixture.node();
      fixture.event("waiting", LifecycleFixture.DRAIN, node);
      Kube kube = fixture.cluster().process().kube();
      AtomicReference<Optional<String>> problem =
          new AtomicReference<>(Optional.of("Lease x: forbidden"));
      try (LifecycleNodeCaches caches = new LifecycleNodeCaches(kube, node);
          LeaseWait wait = new LeaseWait(kube, node, caches, problem::get)) {
        caches.start();
        wait.start();

        eventually()
            .until(
                () ->
                    message("waiting")
                        .equals(
                            "waits for the agent of node %s, which cannot get its Lease: Lease x: forbidden"
                                .formatted(node)));
      }
    }
  }

  @Test
  void aPodThatIsTooLargeToBeKeptIsDrainedLikeAnyOther() {
    String node = fixture.node();
    fixture.pod("huge", node);
    fixture.pod("other", node);
    var _ =
        fixture
            .cluster()
            .client()
            .pods()
            .inNamespace(fixture.pods(node).getFirst().getMetadata().getNamespace())
            .withName("huge")
            .edit(
                pod -> {
                  Map<String, String> labels = new HashMap<>();
                  for (int i = 0; i < 1_000; i++) {
                    labels.put("label-" + i, "v");
                  }
                  pod.getMetadata().setLabels(labels);
                  return pod;
                });
    TestAgent _ = fixture.agent(node);

    fixture.event("drain", LifecycleFixture.DRAIN, node);

    fixture.awaitGone("drain");
    assertThat(fixture.pods(node)).isEmpty();
    assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
  }

  /** A deleted event whose agent is gone for good. */
  @Test
  void theOperatorLetsADeletedEventGoWhoseAgentDoesNot() {
    String node = blockedNode();
    TestAgent agent = fixture.agent(node);
    fixture.event("drain", LifecycleFixture.DRAIN, node);
    awaitBlocked("drain");
    agent.close();
    fixture.delete("drain");
    try (UnclaimedEventController operator =
        new UnclaimedEventController(fixture.cluster().process().kube(), Duration.ofMinutes(5))) {
      operator.start();

      eventually()
          .holdsFor(Duration.ofMinutes(4), () -> assertThat(fixture.find("drain")).isPresent());
      fixture.awaitGone("drain");
    }
    assertThat(fixture.told(node)).anyMatch(line -> line.contains("may still be held"));
  }

  @Test
  void anOperatorWhoseClockIsAheadFailsNoEventBeforeItsTime() {
    String node = fixture.node();
    fixture.event("drain", LifecycleFixture.DRAIN, node);
    ProcessOptions ahead =
        ProcessOptions.of(RequestInterceptor.NONE)
            .withTime(time -> new ShiftedTime(time, Duration.ofHours(1)));
    try (UnclaimedEventController operator =
        new UnclaimedEventController(
            fixture.cluster().process(ahead).kube(), Duration.ofMinutes(5))) {
      operator.start();

      eventually()
          .holdsFor(
              Duration.ofMinutes(4), () -> assertThat(fixture.claim("drain")).isEqualTo("Pending"));
      eventually().until(() -> fixture.claim("drain").equals("Failed"));
    }
  }

  private boolean isPublished(String transition) {
    return transitions(transition).get() != null;
  }

  private Resource<CompatLifecycleTransition> transitions(String name) {
    return fixture.cluster().client().resources(CompatLifecycleTransition.class).withName(name);
  }

  /** By whoever may write the status of events. */
  private void status(String event, String status) {
    var _ = untyped(event).subresource("status").patch(MERGE, "{\"status\":%s}".formatted(status));
  }

  private void metadata(String event, String metadata) {
    var _ = untyped(event).patch(MERGE, "{\"metadata\":%s}".formatted(metadata));
  }

  private Resource<GenericKubernetesResource> untyped(String event) {
    return fixture
        .cluster()
        .client()
        .genericKubernetesResources("lifecycle.k8s.io/v1alpha1", "LifecycleEvent")
        .withName(event);
  }

  /** Also of an event that typed clients cannot read. */
  private String message(String event) {
    return String.valueOf(untyped(event).require().<String>get("status", "message"));
  }

  private void awaitDeleted(String event) {
    eventually().until(() -> untyped(event).get() == null);
  }
}
