package dev.drydock.drain.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.Condition;
import dev.drydock.contracts.Crds;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec.Policy;
import dev.drydock.contracts.nvsentinel.DrainRequestStatus;
import dev.drydock.drain.decide.BlockReason;
import dev.drydock.drain.decide.Hold;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import dev.drydock.testbed.kubelet.Knob;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** DrainRequests as their clients write and read them, served by the engine. */
@ClusterTest
class DrainRequestsIT {
  private static final String FORCE = "policy: {force: true}";

  private Scene scene;
  private Drains engine;

  @BeforeEach
  void open(ControlPlane cluster, TestNamespace namespace) {
    scene = new Scene(cluster, namespace);
    engine = scene.engine();
    scene.client().load(stream(Crds.yaml())).serverSideApply();
    Scene.eventually().ignoreExceptions().until(() -> requests().list() != null);
  }

  @AfterEach
  void close() {
    engine.close();
    // Nobody serves them any more, so nobody would let them go.
    requests().list().getItems().forEach(request -> finalizers(request.getMetadata().getName()));
    scene.close();
  }

  private static ByteArrayInputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private NonNamespaceOperation<
          DrainRequest, KubernetesResourceList<DrainRequest>, Resource<DrainRequest>>
      requests() {
    return scene.client().resources(DrainRequest.class).inNamespace(scene.namespace);
  }

  private void request(String name, String node, String... more) {
    create(name, node, List.of(), more);
  }

  private void create(String name, String node, List<String> finalizers, String... more) {
    String yaml =
        """
        apiVersion: nvsentinel.nvidia.com/v1alpha1
        kind: DrainRequest
        metadata:
          name: %s
          namespace: %s
          finalizers: %s
        spec:
          nodeName: %s
          reason: a test
        """
            .formatted(name, scene.namespace, finalizers, node);
    for (String line : more) {
      yaml += "  " + line + "\n";
    }
    scene.client().load(stream(yaml)).create();
  }

  private void finalizers(String name, String... finalizers) {
    requests()
        .withName(name)
        .edit(
            request -> {
              request.getMetadata().setFinalizers(List.of(finalizers));
              return request;
            });
  }

  private DrainRequest read(String name) {
    return requests().withName(name).require();
  }

  private DrainRequestStatus status(String name) {
    return Objects.requireNonNullElse(read(name).getStatus(), DrainRequestStatus.EMPTY);
  }

  /** As {@code status reason}, e.g. {@code True NoPods}; empty before there is a condition. */
  private String complete(String name) {
    return Objects.requireNonNullElse(status(name).conditions(), List.<Condition>of()).stream()
        .filter(condition -> condition.type().equals("DrainComplete"))
        .map(condition -> condition.status() + " " + condition.reason())
        .findFirst()
        .orElse("");
  }

  private void awaitComplete(String name, String what) {
    Scene.eventually().until(() -> complete(name), what::equals);
  }

  private void awaitGone(String name) {
    Scene.eventually().until(() -> requests().withName(name).get() == null);
  }

  private boolean held(String node, String request) {
    return engine.holds().read(node).heldBy("drainrequest/" + scene.namespace + "/" + request);
  }

  private boolean schedulable(String node) {
    return !Boolean.TRUE.equals(scene.read(node).getSpec().getUnschedulable());
  }

  @Test
  void emptiesTheNodeTellsItsClientsAndReleasesTheNodeWhenDeleted() {
    String node = scene.node();
    scene.pods(node, "web", 5);
    engine.serveRequests();

    request("by-hand", node, FORCE);

    awaitComplete("by-hand", "True DrainComplete");
    assertThat(scene.podsOn(node)).isEmpty();
    assertThat(status("by-hand").podsGone()).isEqualTo(5);
    assertThat(status("by-hand").podsLeft()).isZero();
    assertThat(held(node, "by-hand")).isTrue();
    scene.kubectl(
        "wait", "--for=condition=DrainComplete", "drainrequest/by-hand", "-n", scene.namespace);

    requests().withName("by-hand").delete();
    awaitGone("by-hand");
    assertThat(schedulable(node)).isTrue();
    assertThat(engine.holds().read(node).byHolder()).isEmpty();
  }

  @Test
  void saysSoWhenNoPodHasToGo() {
    String node = scene.node();
    engine.serveRequests();

    request("empty", node);

    awaitComplete("empty", "True NoPods");
    assertThat(schedulable(node)).isFalse();
  }

  @Test
  void namesPodAndBudgetThatHoldItUpAndGoesOnWhenTheyDoNot() {
    String node = scene.node();
    scene.pods(node, "guarded", 2);
    scene.budget("keep-all", "guarded", 2);
    engine.serveRequests();

    request("blocked", node, FORCE);

    awaitComplete("blocked", "False Blocked");
    assertThat(status("blocked").podsLeft()).isEqualTo(2);
    assertThat(status("blocked").eta()).contains("unknown");
    assertThat(status("blocked").blockers())
        .singleElement()
        .satisfies(
            blocker -> {
              assertThat(blocker.reason()).isEqualTo("DisruptionBudget");
              assertThat(blocker.message()).contains("keep-all").contains("2 healthy");
              assertThat(blocker.pods())
                  .containsExactlyInAnyOrder(
                      scene.namespace + "/guarded-0", scene.namespace + "/guarded-1");
            });
    scene.kubectl("delete", "pdb", "keep-all", "-n", scene.namespace);
    awaitComplete("blocked", "True DrainComplete");
    assertThat(status("blocked").blockers()).isNullOrEmpty();
  }

  @Test
  void leavesRequestsOfOtherDrainersAlone() {
    String node = scene.node();
    scene.pods(node, "web", 1);
    request("named", node, "drainer: slinky");
    create("claimed", node, List.of(DrainRequest.SLINKY_FINALIZER));
    String other = scene.node();
    request("ours", other, "drainer: builtin");

    engine.serveRequests();

    awaitComplete("ours", "True NoPods");
    assertThat(complete("named")).isEmpty();
    assertThat(complete("claimed")).isEmpty();
    assertThat(read("named").getMetadata().getFinalizers()).isEmpty();
    assertThat(schedulable(node)).isTrue();
    assertThat(scene.podsOn(node)).hasSize(1);
  }

  @Test
  void stepsBackWhenAnotherDrainerClaimsTheRequestLater() {
    String node = scene.node();
    scene.pods(node, "guarded", 1);
    scene.budget("keep", "guarded", 1);
    engine.serveRequests();
    request("taken", node, FORCE);
    awaitComplete("taken", "False Blocked");

    finalizers("taken", DrainRequest.FINALIZER, DrainRequest.SLINKY_FINALIZER);

    Scene.eventually().until(() -> schedulable(node));
    Scene.eventually()
        .until(
            () -> read("taken").getMetadata().getFinalizers(),
            List.of(DrainRequest.SLINKY_FINALIZER)::equals);
    assertThat(scene.podsOn(node)).hasSize(1);
  }

  @Test
  void takesOnlyThePodsThatTheRequestNames() {
    String node = scene.node();
    scene.pods(node, "web", 3);
    engine.serveRequests();

    request("some", node, FORCE, "podsToDrain: {%s: [web-0, web-2]}".formatted(scene.namespace));

    awaitComplete("some", "True DrainComplete");
    assertThat(scene.podsOn(node))
        .extracting(pod -> pod.getMetadata().getName())
        .containsExactly("web-1");
    assertThat(status("some").podsGone()).isEqualTo(2);
  }

  @Test
  void deletionCallsTheDrainOffAndLeavesWhatWasNotTouched() {
    String node = scene.node();
    scene.pods(node, "guarded", 2);
    scene.budget("keep", "guarded", 2);
    engine.serveRequests();
    request("cancelled", node, FORCE);
    awaitComplete("cancelled", "False Blocked");

    scene.kubectl("delete", "drainrequest", "cancelled", "-n", scene.namespace);

    assertThat(schedulable(node)).isTrue();
    assertThat(scene.podsOn(node)).hasSize(2);
  }

  @Test
  void waitsWhileThePolicyRefusesPodsAndTakesAnEditedOne() {
    String node = scene.node();
    scene.pods(node, "bare", 1);
    engine.serveRequests();
    request("careful", node);
    awaitComplete("careful", "False Refused");
    assertThat(status("careful").blockers())
        .extracting(DrainRequestStatus.Blocker::reason)
        .containsExactly("Unmanaged");

    scene.kubectl(
        "patch",
        "drainrequest",
        "careful",
        "-n",
        scene.namespace,
        "--type=merge",
        "-p",
        "{\"spec\":{\"policy\":{\"force\":true}}}");

    awaitComplete("careful", "True DrainComplete");
  }

  @Test
  void aPersonWhoUncordonsTheNodeCallsItOff() {
    String node = scene.node();
    scene.pods(node, "guarded", 1);
    scene.budget("keep", "guarded", 1);
    engine.serveRequests();
    request("overruled", node, FORCE);
    awaitComplete("overruled", "False Blocked");

    scene.kubectl("uncordon", node);

    awaitComplete("overruled", "False DrainCancelled");
    assertThat(schedulable(node)).isTrue();
    assertThat(scene.podsOn(node)).hasSize(1);
  }

  @Test
  void givesUpWhenTheTimeOfTheRequestIsUp() {
    String node = scene.node();
    scene.pods(node, "guarded", 1);
    scene.budget("keep", "guarded", 1);
    engine.serveRequests();

    request("hasty", node, "policy: {force: true, deadlineSeconds: 1}");

    awaitComplete("hasty", "False DrainFailed");
    assertThat(scene.podsOn(node)).hasSize(1);
    assertThat(held(node, "hasty")).isTrue();
  }

  @Test
  void saysWhatIsWrongWithARequest() {
    engine.serveRequests();
    request("no-node", "no-such-node");
    request("bad-policy", scene.node(), "policy: {podSelector: 'a in ('}");

    awaitComplete("no-node", "False NodeNotFound");
    awaitComplete("bad-policy", "False InvalidRequest");
    requests().withName("no-node").delete();
    awaitGone("no-node");
  }

  @Test
  void keepsConditionsOfOthers() {
    String node = scene.node();
    request("shared", node);
    requests()
        .withName("shared")
        .editStatus(
            request -> {
              request.setStatus(
                  new DrainRequestStatus(
                      List.of(
                          new Condition(
                              "Seen", "True", "Auditor", "", "2026-01-01T00:00:00Z", null)),
                      null,
                      null,
                      null,
                      null,
                      null,
                      null));
              return request;
            });
    engine.serveRequests();

    awaitComplete("shared", "True NoPods");
    assertThat(status("shared").conditions())
        .extracting(Condition::type)
        .containsExactly("Seen", "DrainComplete");
  }

  @Test
  void twoRequestsForOneNodeAreOneDrainAndTheLastToGoReleasesIt() {
    String node = scene.node();
    scene.pods(node, "web", 4);
    engine.serveRequests();
    request("first", node, FORCE);
    request("second", node, FORCE);
    Scene.eventually().until(() -> complete("first").startsWith("True"));
    Scene.eventually().until(() -> complete("second").startsWith("True"));

    requests().withName("first").delete();
    awaitGone("first");
    assertThat(schedulable(node)).isFalse();
    requests().withName("second").delete();
    awaitGone("second");
    assertThat(schedulable(node)).isTrue();
  }

  @Test
  void killedAfterAnyCallTheNextProcessSeesTheRequestThrough() {
    engine.close();
    int call = 0;
    boolean survived = false;
    while (!survived) {
      call++;
      boolean before = killAndContinue(call, false);
      survived = killAndContinue(call, true) && before;
    }
    assertThat(call).as("calls to serve a request").isGreaterThan(10);
    engine = scene.engine();
  }

  private boolean killAndContinue(int lastCall, boolean carriesItOut) {
    String node = scene.node();
    String word = "n" + lastCall + (carriesItOut ? "-after" : "-before");
    scene.pods(node, word, 2);
    scene.budget(word, word, 0);
    request(word, node, FORCE);
    Map<String, AtomicInteger> evictions = new ConcurrentHashMap<>();

    DyingProcess dying = new DyingProcess(lastCall, carriesItOut, evictions);
    boolean survived;
    try (Drains first = scene.engine(dying)) {
      first.serveRequests();
      Scene.eventually().until(() -> dying.isDead() || complete(word).startsWith("True"));
      survived = !dying.isDead();
    }
    try (Drains second = scene.engine(new DyingProcess(Integer.MAX_VALUE, true, evictions))) {
      second.serveRequests();
      awaitComplete(word, "True DrainComplete");
      assertThat(scene.podsOn(node)).as("killed at call %d", lastCall).isEmpty();
      assertThat(evictions.values()).allSatisfy(count -> assertThat(count).hasValue(1));
      requests().withName(word).delete();
      awaitGone(word);
    }
    assertThat(schedulable(node)).as("killed at call %d", lastCall).isTrue();
    return survived;
  }

  @Test
  void keepsHoldsInOrder() {
    String over = scene.node();
    String overruled = scene.node();
    String orphaned = scene.node();
    String kept = scene.node();
    Instant now = Instant.now();
    Hold staying = Hold.of("test/keeper", "a test", now);
    engine.holds().place(over, staying.until(now.plusSeconds(2)));
    engine.holds().place(kept, staying);
    engine.holds().place(orphaned, Hold.of("drainrequest/" + scene.namespace + "/no", "", now));
    engine.keepHolds();

    Scene.eventually().until(() -> schedulable(over));
    Scene.eventually().until(() -> schedulable(orphaned));
    engine.holds().place(overruled, staying);
    scene.kubectl("uncordon", overruled);
    Scene.eventually().until(() -> engine.holds().read(overruled).byHolder().isEmpty());
    assertThat(engine.holds().read(kept).heldBy("test/keeper")).isTrue();
    Scene.eventually()
        .until(
            () -> scene.events(over),
            events -> events.stream().anyMatch(e -> e.getReason().equals("HoldExpired")));
  }

  @Test
  void aPodThatDoesNotStopIsNotCalledGone() {
    String node = scene.node();
    scene.pods(node, "stubborn", 1, Map.of(Knob.REFUSE_STOP, "true"));
    engine.serveRequests();
    request("stuck", node, FORCE);

    Scene.eventually()
        .until(() -> scene.podsOn(node).getFirst().getMetadata().getDeletionTimestamp() != null);
    Scene.eventually().until(() -> Objects.equals(status("stuck").podsLeft(), 1));
    assertThat(complete("stuck")).startsWith("False");
    scene.kubectl(
        "annotate", "pods", "--all", "-n", scene.namespace, Knob.REFUSE_STOP.annotation() + "-");
    awaitComplete("stuck", "True DrainComplete");
  }

  private RequestedDrain ask(String name, String node, DrainListener listener) {
    Policy force = new Policy(true, null, null, null, null, null, null, null, null, null, null);
    DrainRequestSpec spec =
        new DrainRequestSpec(
            node, null, null, null, "a test", null, null, null, null, "builtin", force);
    return engine.request(scene.namespace, name, spec, listener);
  }

  @Test
  void whoAsksIsToldWhatTheOperatorSeesAndHowItEnds() {
    String node = scene.node();
    scene.pods(node, "guarded", 2);
    scene.budget("keep", "guarded", 2);
    Reports reports = new Reports();
    try (RequestedDrain drain = ask("asked", node, reports)) {
      Scene.eventually().until(() -> reports.blockedBy(BlockReason.NOT_SERVED));
      engine.serveRequests();
      Scene.eventually().until(() -> reports.blockedBy(BlockReason.DISRUPTION_BUDGET));
      assertThat(reports.blockers().getFirst().line())
          .contains("guarded-0", "guarded-1", "keep", "add replicas");
      assertThat(reports.all.getLast().decision().progress().remaining()).isEqualTo(2);
      scene.kubectl("delete", "pdb", "keep", "-n", scene.namespace);

      assertThat(drain.outcome())
          .succeedsWithin(60, TimeUnit.SECONDS)
          .satisfies(outcome -> assertThat(outcome.end()).isEqualTo(DrainOutcome.End.DONE));
    }
    assertThat(read("asked").getMetadata().getLabels())
        .containsEntry(DrainRequest.NODE_LABEL, node);
  }

  @Test
  void whoAsksIsToldWhenSomebodyDeletesTheRequest() {
    String node = scene.node();
    scene.pods(node, "guarded", 1);
    scene.budget("keep", "guarded", 1);
    engine.serveRequests();
    try (RequestedDrain drain = ask("taken-away", node, DrainListener.NONE)) {
      awaitComplete("taken-away", "False Blocked");
      requests().withName("taken-away").delete();

      assertThat(drain.outcome())
          .succeedsWithin(60, TimeUnit.SECONDS)
          .satisfies(outcome -> assertThat(outcome.end()).isEqualTo(DrainOutcome.End.CANCELLED));
    }
    assertThat(scene.podsOn(node)).hasSize(1);
  }
}
