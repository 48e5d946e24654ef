package dev.drydock.drain.kube;

import static dev.drydock.drain.kube.TestRequests.FORCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.Condition;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestStatus;
import dev.drydock.sim.kubelet.Knob;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** DrainRequests as their clients write and read them, served by the engine. */
abstract class DrainRequestsContract extends EngineContract {
  private TestRequests requests;

  @BeforeEach
  void open() {
    requests = scene.requests();
  }

  private boolean held(String node, String request) {
    return engine.holds().read(node).heldBy("drainrequest/" + scene.namespace + "/" + request);
  }

  @Test
  void emptiesTheNodeTellsItsClientsAndReleasesTheNodeWhenDeleted() {
    String node = scene.node();
    scene.pods(node, "web", 5);
    engine.serveRequests();

    requests.request("by-hand", node, FORCE);

    requests.awaitComplete("by-hand", "True DrainComplete");
    assertThat(scene.podsOn(node)).isEmpty();
    assertThat(requests.status("by-hand").podsGone()).isEqualTo(5);
    assertThat(requests.status("by-hand").podsLeft()).isZero();
    assertThat(held(node, "by-hand")).isTrue();
    scene.kubectl(
        "wait", "--for=condition=DrainComplete", "drainrequest/by-hand", "-n", scene.namespace);

    requests.all().withName("by-hand").delete();
    requests.awaitGone("by-hand");
    assertThat(requests.schedulable(node)).isTrue();
    assertThat(engine.holds().read(node).byHolder()).isEmpty();
  }

  @Test
  void saysSoWhenNoPodHasToGo() {
    String node = scene.node();
    engine.serveRequests();

    requests.request("empty", node);

    requests.awaitComplete("empty", "True NoPods");
    assertThat(requests.schedulable(node)).isFalse();
  }

  @Test
  void namesPodAndBudgetThatHoldItUpAndGoesOnWhenTheyDoNot() {
    String node = scene.node();
    scene.pods(node, "guarded", 2);
    scene.budget("keep-all", "guarded", 2);
    engine.serveRequests();

    requests.request("blocked", node, FORCE);

    requests.awaitComplete("blocked", "False Blocked");
    assertThat(requests.status("blocked").podsLeft()).isEqualTo(2);
    assertThat(requests.status("blocked").eta()).contains("unknown");
    assertThat(requests.status("blocked").blockers())
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
    requests.awaitComplete("blocked", "True DrainComplete");
    assertThat(requests.status("blocked").blockers()).isNullOrEmpty();
  }

  @Test
  void leavesRequestsOfOtherDrainersAlone() {
    String node = scene.node();
    scene.pods(node, "web", 1);
    requests.request("named", node, "drainer: slinky");
    requests.create("claimed", node, List.of(DrainRequest.SLINKY_FINALIZER));
    String other = scene.node();
    requests.request("ours", other, "drainer: builtin");

    engine.serveRequests();

    requests.awaitComplete("ours", "True NoPods");
    assertThat(requests.complete("named")).isEmpty();
    assertThat(requests.complete("claimed")).isEmpty();
    assertThat(requests.read("named").getMetadata().getFinalizers()).isEmpty();
    assertThat(requests.schedulable(node)).isTrue();
    assertThat(scene.podsOn(node)).hasSize(1);
  }

  @Test
  void stepsBackWhenAnotherDrainerClaimsTheRequestLater() {
    engine.serveRequests();
    String node = requests.blocked("taken", 1);

    requests.finalizers("taken", DrainRequest.FINALIZER, DrainRequest.SLINKY_FINALIZER);

    Scene.eventually().until(() -> requests.schedulable(node));
    Scene.eventually()
        .until(
            () -> requests.read("taken").getMetadata().getFinalizers(),
            List.of(DrainRequest.SLINKY_FINALIZER)::equals);
    assertThat(scene.podsOn(node)).hasSize(1);
  }

  @Test
  void takesOnlyThePodsThatTheRequestNames() {
    String node = scene.node();
    scene.pods(node, "web", 3);
    engine.serveRequests();

    requests.request(
        "some", node, FORCE, "podsToDrain: {%s: [web-0, web-2]}".formatted(scene.namespace));

    requests.awaitComplete("some", "True DrainComplete");
    assertThat(scene.podsOn(node))
        .extracting(pod -> pod.getMetadata().getName())
        .containsExactly("web-1");
    assertThat(requests.status("some").podsGone()).isEqualTo(2);
  }

  @Test
  void deletionCallsTheDrainOffAndLeavesWhatWasNotTouched() {
    engine.serveRequests();
    String node = requests.blocked("cancelled", 2);

    scene.kubectl("delete", "drainrequest", "cancelled", "-n", scene.namespace);

    assertThat(requests.schedulable(node)).isTrue();
    assertThat(scene.podsOn(node)).hasSize(2);
  }

  @Test
  void waitsWhileThePolicyRefusesPodsAndTakesAnEditedOne() {
    String node = scene.node();
    scene.pods(node, "bare", 1);
    engine.serveRequests();
    requests.request("careful", node);
    requests.awaitComplete("careful", "False Refused");
    assertThat(requests.status("careful").blockers())
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

    requests.awaitComplete("careful", "True DrainComplete");
  }

  @Test
  void aPersonWhoUncordonsTheNodeCallsItOff() {
    engine.serveRequests();
    String node = requests.blocked("overruled", 1);

    scene.kubectl("uncordon", node);

    requests.awaitComplete("overruled", "False DrainCancelled");
    assertThat(requests.schedulable(node)).isTrue();
    assertThat(scene.podsOn(node)).hasSize(1);
  }

  @Test
  void givesUpWhenTheTimeOfTheRequestIsUp() {
    String node = scene.node();
    scene.pods(node, "guarded", 1);
    scene.budget("keep", "guarded", 1);
    engine.serveRequests();

    requests.request("hasty", node, "policy: {force: true, deadlineSeconds: 1}");

    requests.awaitComplete("hasty", "False DrainFailed");
    assertThat(scene.podsOn(node)).hasSize(1);
    assertThat(held(node, "hasty")).isTrue();
  }

  @Test
  void saysWhatIsWrongWithARequest() {
    engine.serveRequests();
    requests.request("no-node", "no-such-node");
    requests.request("bad-policy", scene.node(), "policy: {podSelector: 'a in ('}");

    requests.awaitComplete("no-node", "False NodeNotFound");
    requests.awaitComplete("bad-policy", "False InvalidRequest");
    requests.all().withName("no-node").delete();
    requests.awaitGone("no-node");
  }

  @Test
  void keepsConditionsOfOthers() {
    String node = scene.node();
    requests.request("shared", node);
    requests
        .all()
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

    requests.awaitComplete("shared", "True NoPods");
    assertThat(requests.status("shared").conditions())
        .extracting(Condition::type)
        .containsExactly("Seen", "DrainComplete");
  }

  @Test
  void twoRequestsForOneNodeAreOneDrainAndTheLastToGoReleasesIt() {
    String node = scene.node();
    scene.pods(node, "web", 4);
    engine.serveRequests();
    requests.request("first", node, FORCE);
    requests.request("second", node, FORCE);
    Scene.eventually().until(() -> requests.complete("first").startsWith("True"));
    Scene.eventually().until(() -> requests.complete("second").startsWith("True"));

    requests.all().withName("first").delete();
    requests.awaitGone("first");
    assertThat(requests.schedulable(node)).isFalse();
    requests.all().withName("second").delete();
    requests.awaitGone("second");
    assertThat(requests.schedulable(node)).isTrue();
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
    requests.request(word, node, FORCE);
    Map<String, AtomicInteger> evictions = new ConcurrentHashMap<>();

    DyingProcess dying = new DyingProcess(lastCall, carriesItOut, evictions);
    boolean survived;
    try (Drains first = scene.engine(dying)) {
      first.serveRequests();
      Scene.eventually().until(() -> dying.isDead() || requests.complete(word).startsWith("True"));
      survived = !dying.isDead();
    }
    try (Drains second = scene.engine(new DyingProcess(Integer.MAX_VALUE, true, evictions))) {
      second.serveRequests();
      requests.awaitComplete(word, "True DrainComplete");
      assertThat(scene.podsOn(node)).as("killed at call %d", lastCall).isEmpty();
      assertThat(evictions.values()).allSatisfy(count -> assertThat(count).hasValue(1));
      requests.all().withName(word).delete();
      requests.awaitGone(word);
    }
    assertThat(requests.schedulable(node)).as("killed at call %d", lastCall).isTrue();
    return survived;
  }

  @Test
  void whoTakesOverCountsThePodsThatWentWhileNobodyLooked() {
    engine.serveRequests();
    String node = requests.blocked("taken-over", 3);
    assertThat(requests.status("taken-over").podsLeft()).isEqualTo(3);
    engine.close();

    scene.kubectl("delete", "pod", "guarded-1", "-n", scene.namespace);
    scene.kubectl("delete", "pdb", "keep", "-n", scene.namespace);
    engine = scene.engine();
    engine.serveRequests();

    requests.awaitComplete("taken-over", "True DrainComplete");
    assertThat(scene.podsOn(node)).isEmpty();
    assertThat(requests.status("taken-over").podsGone()).isEqualTo(3);
    assertThat(requests.status("taken-over").podsLeft()).isZero();
  }

  @Test
  void aPodThatDoesNotStopIsNotCalledGone() {
    String node = scene.node();
    scene.pods(node, "stubborn", 1, Map.of(Knob.REFUSE_STOP, "true"));
    engine.serveRequests();
    requests.request("stuck", node, FORCE);

    Scene.eventually()
        .until(() -> scene.podsOn(node).getFirst().getMetadata().getDeletionTimestamp() != null);
    Scene.eventually().until(() -> Objects.equals(requests.status("stuck").podsLeft(), 1));
    assertThat(requests.complete("stuck")).startsWith("False");
    scene.kubectl(
        "annotate", "pods", "--all", "-n", scene.namespace, Knob.REFUSE_STOP.annotation() + "-");
    requests.awaitComplete("stuck", "True DrainComplete");
  }
}
