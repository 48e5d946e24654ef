package dev.drydock.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.lifecycle.LifecycleEventSpec;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.contracts.lifecycle.compat.CompatLifecycleEvent;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.kube.Kube;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.lifecycle.api.LifecycleNodeCaches;
import dev.drydock.lifecycle.claim.Claimer;
import dev.drydock.lifecycle.claim.LeaseWait;
import dev.drydock.lifecycle.decide.SlaPolicy;
import dev.drydock.lifecycle.driver.DrainDriver;
import dev.drydock.lifecycle.driver.DriverNaming;
import dev.drydock.lifecycle.driver.TransitionPublisher;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import dev.drydock.lifecycle.unclaimed.UnclaimedEventController;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.ShiftedTime;
import dev.drydock.testkit.TestCluster;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One LifecycleEvent that cannot be read or served: the others are served, the failure is counted
 * and shown, and the event is served when it is mended, without a restart.
 */
class LifecycleIsolationTest {
  private static final String TRANSITION = "t";
  private static final String DRIVER = "d";

  private final TestCluster cluster = TestCluster.simulated();
  private final LoopBug bug = new LoopBug();
  private Kube kube;
  private String node;

  @BeforeEach
  void define() {
    cluster.define(CrdCatalog.yaml());
    // as somebody else may have defined them: any text is a time
    cluster.define(CrdCatalog.yaml(CrdCatalog.COMPATIBLE).replaceAll("\n *pattern: .*", ""));
    cluster
        .eventually()
        .until(() -> cluster.client().resources(CompatLifecycleEvent.class).list() != null);
    node = cluster.addNode("n");
    kube = cluster.process(bug).kube();
  }

  private void apply(String yaml) {
    var _ =
        cluster
            .client()
            .load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
            .serverSideApply();
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void theClaimerServesTheOthers() {
    bug.atWritesTo("/lifecycleevents/bad");
    startClaimer();
    event("bad", node);
    event("good", node);

    bug.staysIn(
        "claimer",
        kube,
        cluster.eventually(),
        () -> assertThat(List.of(exists("bad"), exists("good"))).containsExactly(true, false),
        () -> assertThat(exists("bad")).isFalse());
  }

  @Test
  void theCleanupDeletesTheOtherTransitions() {
    List.of("bad", "good").forEach(name -> transition(name, "gone", "nodeName: " + node));
    bug.atWritesTo("/lifecycletransitions/bad");
    startClaimer();

    bug.staysIn(
        "transition-cleanup",
        kube,
        cluster.eventually(),
        () ->
            assertThat(published(LifecycleNames.COMPAT_GROUP))
                .containsExactlyInAnyOrder("bad", TRANSITION),
        () -> assertThat(published(LifecycleNames.COMPAT_GROUP)).containsExactly(TRANSITION));
  }

  @Test
  void theOtherEventsSayThatTheirAgentHasNoLease() {
    List.of("a-good", "bad", "z-good").forEach(name -> event(name, node));
    bug.atWritesTo("/lifecycleevents/bad");
    try (LifecycleNodeCaches caches = new LifecycleNodeCaches(kube, node);
        LeaseWait wait = new LeaseWait(kube, node, caches, () -> Optional.of("forbidden"))) {
      caches.start();
      wait.start();

      bug.staysIn(
          "claimer-lease",
          kube,
          cluster.eventually(),
          () -> {
            assertThat(List.of(message("a-good"), message("z-good")))
                .allMatch(words -> words.contains("cannot get its Lease: forbidden"));
            assertThat(message("bad")).isEmpty();
          },
          () -> assertThat(message("bad")).contains("cannot get its Lease: forbidden"));
    }
  }

  @Test
  void anEventThatCannotBeReadIsServedWhenItIsMended() {
    event("odd", node);
    setSla("odd", "\"soon\"");
    startClaimer();
    event("good", node);

    awaitGone("good");
    assertThat(exists("odd")).isTrue();
    assertThat(kube.health().degraded())
        .anySatisfy(line -> assertThat(line).contains("odd cannot be read"));

    setSla("odd", "null");
    awaitGone("odd");
    awaitHealth();
  }

  @Test
  void unclaimedEventsAreSeenToApartFromEachOther() {
    bug.atWritesTo("/lifecycleevents/bad");
    event("bad", "nowhere");
    event("good", "nowhere");
    try (UnclaimedEventController controller =
        new UnclaimedEventController(kube, Duration.ofMinutes(1))) {
      controller.start();

      bug.staysIn(
          "unclaimed-events",
          kube,
          cluster.eventually(),
          () ->
              assertThat(List.of(claim("good"), claim("bad"))).containsExactly("Failed", "Pending"),
          () -> assertThat(claim("bad")).isEqualTo("Failed"));
    }
  }

  @Test
  void anUnclaimedEventThatCannotBeReadFailsWhenItIsMended() {
    event("odd", "nowhere");
    setSla("odd", "\"soon\"");
    event("good", "nowhere");
    try (UnclaimedEventController controller =
        new UnclaimedEventController(kube, Duration.ofMinutes(1))) {
      controller.start();

      cluster.eventually().until(() -> claim("good").equals("Failed"));
      assertThat(kube.health().degraded())
          .anySatisfy(line -> assertThat(line).contains("odd cannot be read"));

      setSla("odd", "null");
      cluster.eventually().until(() -> claim("odd").equals("Failed"));
      awaitHealth();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-120, -1, 1, 120})
  void unclaimedEventsFailAfterTheirTimeWhateverTheClockSays(int minutesAhead) {
    Kube wrong =
        cluster
            .process(
                ProcessOptions.of(RequestInterceptor.NONE)
                    .withTime(time -> new ShiftedTime(time, Duration.ofMinutes(minutesAhead))))
            .kube();
    event("waiting", "nowhere");
    try (UnclaimedEventController controller =
        new UnclaimedEventController(wrong, Duration.ofMinutes(5))) {
      controller.start();

      cluster.pass(Duration.ofMinutes(4));
      assertThat(claim("waiting")).isEqualTo("Pending");
      cluster.pass(Duration.ofMinutes(2));
      assertThat(claim("waiting")).isEqualTo("Failed");
    }
  }

  @Test
  void transitionsArePublishedInOneGroupWithoutTheOther() {
    bug.atWritesTo("/apis/" + LifecycleNames.OWN_GROUP + "/");
    try (LifecycleNodeCaches caches = new LifecycleNodeCaches(kube, node);
        TransitionPublisher publisher =
            new TransitionPublisher(
                kube, caches, List.of(DriverNaming.first(DRIVER)), Duration.ofMinutes(5))) {
      publisher.start();
      caches.start();

      bug.staysIn(
          "transition-publisher",
          kube,
          cluster.eventually(),
          () -> {
            assertThat(published(LifecycleNames.COMPAT_GROUP)).contains(DRIVER);
            assertThat(published(LifecycleNames.OWN_GROUP)).isEmpty();
          },
          () -> assertThat(published(LifecycleNames.OWN_GROUP)).contains(DRIVER));
    }
  }

  @Test
  void theDriverAnswersTheOthers() {
    bug.atWritesTo("/api/v1/nodes/");
    try (LifecycleNodeCaches caches = new LifecycleNodeCaches(kube, node);
        DrainEngine engine = new DrainEngine(kube, DrainEngine.Options.DEFAULT);
        DrainDriver driver =
            new DrainDriver(
                new DrainDriver.Settings(node, "lifecycle/d", -1, SlaPolicy.STOP, true),
                kube,
                engine,
                caches)) {
      caches.start();
      driver.start();
      CompletableFuture<LifecycleTransitionResponse> bad = driver.start(drain("bad"));
      CompletableFuture<LifecycleTransitionResponse> other = driver.end(late("other"));

      AtomicReference<CompletableFuture<LifecycleTransitionResponse>> again =
          new AtomicReference<>(bad);
      bug.staysIn(
          "drain-driver",
          kube,
          cluster.eventually(),
          () -> {
            assertThat(other)
                .isCompletedWithValueMatching(
                    answer ->
                        answer
                            .getError()
                            .equals("SLA expired, and node %s is not held".formatted(node)));
            assertThat(bad).isCompletedExceptionally();
          },
          () -> {
            // as the claimer does
            again.updateAndGet(
                call -> call.isCompletedExceptionally() ? driver.start(drain("bad")) : call);
            assertThat(again.get())
                .isCompletedWithValueMatching(
                    answer -> answer.getLifecycleCondition().equals("drain-started"));
          });
    }
  }

  private StartLifecycleTransitionRequest drain(String event) {
    return StartLifecycleTransitionRequest.newBuilder()
        .setEventName(event)
        .setNodeName(node)
        .setStart(LifecycleNames.DRAIN_STARTED)
        .setEnd(LifecycleNames.DRAIN_COMPLETE)
        .build();
  }

  private EndLifecycleTransitionRequest late(String event) {
    return EndLifecycleTransitionRequest.newBuilder()
        .setEventName(event)
        .setNodeName(node)
        .setStart(LifecycleNames.DRAIN_STARTED)
        .setEnd(LifecycleNames.DRAIN_COMPLETE)
        .setSlaExpired(true)
        .build();
  }

  private List<String> published(String group) {
    return cluster
        .client()
        .genericKubernetesResources(group + "/v1alpha1", "LifecycleTransition")
        .list()
        .getItems()
        .stream()
        .map(each -> each.getMetadata().getName())
        .toList();
  }

  private void transition(String name, String driver, String nodes) {
    apply(
        """
        apiVersion: lifecycle.k8s.io/v1alpha1
        kind: LifecycleTransition
        metadata: {name: %s}
        spec: {start: started, end: complete, driver: %s, %s}
        """
            .formatted(name, driver, nodes));
  }

  private void startClaimer() {
    transition(TRANSITION, DRIVER, "allNodes: true");
    LocalNode drivers = new LocalNode(cluster.clock());
    drivers.register(DRIVER, new QuickDriver());
    LifecycleNodeCaches caches = new LifecycleNodeCaches(kube, node);
    Claimer claimer =
        new Claimer(
            new Claimer.ClaimerContext(kube, node, "claimer", Claimer.Outcomes.NONE),
            caches,
            drivers,
            () -> false);
    caches.start();
    claimer.start();
  }

  private void event(String name, String where) {
    CompatLifecycleEvent event = new CompatLifecycleEvent();
    event.setMetadata(new ObjectMetaBuilder().withName(name).build());
    event.setSpec(new LifecycleEventSpec(TRANSITION, where));
    var _ = cluster.client().resource(event).create();
    cluster.pass(Duration.ofSeconds(1)); // so that one is older than the other
  }

  private void setSla(String event, String value) {
    var _ =
        cluster
            .client()
            .genericKubernetesResources("lifecycle.k8s.io/v1alpha1", "LifecycleEvent")
            .withName(event)
            .subresource("status")
            .patch(
                PatchContext.of(PatchType.JSON_MERGE),
                "{\"status\":{\"sla\":%s}}".formatted(value));
  }

  private boolean exists(String event) {
    return cluster
            .client()
            .genericKubernetesResources("lifecycle.k8s.io/v1alpha1", "LifecycleEvent")
            .withName(event)
            .get()
        != null;
  }

  private String claim(String event) {
    return status(event).getOrDefault("claimStatus", "");
  }

  private String message(String event) {
    return status(event).getOrDefault("message", "");
  }

  private Map<String, String> status(String event) {
    Map<String, String> status =
        cluster
            .client()
            .genericKubernetesResources("lifecycle.k8s.io/v1alpha1", "LifecycleEvent")
            .withName(event)
            .require()
            .get("status");
    return status == null ? Map.of() : status;
  }

  private void awaitGone(String event) {
    cluster.eventually().until(() -> !exists(event));
  }

  private void awaitHealth() {
    cluster.eventually().untilAsserted(() -> assertThat(kube.health().degraded()).isEmpty());
  }
}
