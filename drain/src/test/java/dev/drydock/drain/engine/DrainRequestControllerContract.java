package dev.drydock.drain.engine;

import static dev.drydock.drain.engine.DrainRequestFixture.FORCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.Condition;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestStatus;
import dev.drydock.drain.request.DrainRequestController;
import dev.drydock.sim.kubelet.Knob;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** DrainRequests as their clients write and read them, served by the engine. */
abstract class DrainRequestControllerContract extends EngineContract {
  private DrainRequestFixture requests;

  @BeforeEach
  void open() {
    requests = fixture.requests();
  }

  private boolean held(String node, String request) {
    return engine.holds().read(node).heldBy("drainrequest/" + fixture.namespace + "/" + request);
  }

  @Test
  void emptiesTheNodeTellsItsClientsAndReleasesTheNodeWhenDeleted() {
    String node = fixture.node();
    fixture.pods(node, "web", 5);
    DrainFixture.serve(engine);

    requests.request("by-hand", node, FORCE);

    requests.awaitComplete("by-hand", "True DrainComplete");
    assertThat(fixture.podsOn(node)).isEmpty();
    assertThat(requests.status("by-hand").podsGone()).isEqualTo(5);
    assertThat(requests.status("by-hand").podsLeft()).isZero();
    assertThat(held(node, "by-hand")).isTrue();
    for (String type : List.of("DrainComplete", "Complete")) {
      fixture.kubectl(
          "wait", "--for=condition=" + type, "drainrequest/by-hand", "-n", fixture.namespace);
    }
    assertThat(requests.condition("by-hand", "Failed")).isEqualTo("False DrainComplete");

    requests.all().withName("by-hand").delete();
    requests.awaitGone("by-hand");
    assertThat(requests.schedulable(node)).isTrue();
    assertThat(engine.holds().read(node).byHolder()).isEmpty();
  }

  @Test
  void saysSoWhenNoPodHasToGo() {
    String node = fixture.node();
    DrainFixture.serve(engine);

    requests.request("empty", node);

    requests.awaitComplete("empty", "True NoPods");
    assertThat(requests.schedulable(node)).isFalse();
  }

  @Test
  void namesPodAndBudgetThatHoldItUpAndGoesOnWhenTheyDoNot() {
    String node = fixture.node();
    fixture.pods(node, "guarded", 2);
    fixture.budget("keep-all", "guarded", 2);
    DrainFixture.serve(engine);

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
                      fixture.namespace + "/guarded-0", fixture.namespace + "/guarded-1");
            });
    fixture.kubectl("delete", "pdb", "keep-all", "-n", fixture.namespace);
    requests.awaitComplete("blocked", "True DrainComplete");
    assertThat(requests.status("blocked").blockers()).isNullOrEmpty();
  }

  @Test
  void leavesRequestsOfOtherDrainersAlone() {
    String node = fixture.node();
    fixture.pods(node, "web", 1);
    requests.request("named", node, "drainer: slinky");
    requests.create("claimed", node, List.of(DrainRequest.SLINKY_FINALIZER));
    String other = fixture.node();
    requests.request("ours", other, "drainer: builtin");

    DrainFixture.serve(engine);

    requests.awaitComplete("ours", "True NoPods");
    assertThat(requests.complete("named")).isEmpty();
    assertThat(requests.complete("claimed")).isEmpty();
    assertThat(requests.read("named").getMetadata().getFinalizers()).isEmpty();
    assertThat(requests.schedulable(node)).isTrue();
    assertThat(fixture.podsOn(node)).hasSize(1);
  }

  @Test
  void stepsBackWhenAnotherDrainerClaimsTheRequestLater() {
    DrainFixture.serve(engine);
    String node = requests.blocked("taken", 1);

    requests.finalizers("taken", DrainRequest.FINALIZER, DrainRequest.SLINKY_FINALIZER);

    fixture.eventually().until(() -> requests.schedulable(node));
    fixture
        .eventually()
        .until(
            () -> requests.read("taken").getMetadata().getFinalizers(),
            List.of(DrainRequest.SLINKY_FINALIZER)::equals);
    assertThat(fixture.podsOn(node)).hasSize(1);
  }

  @Test
  void takesOnlyThePodsThatTheRequestNames() {
    String node = fixture.node();
    fixture.pods(node, "web", 3);
    DrainFixture.serve(engine);

    requests.request(
        "some", node, FORCE, "podsToDrain: {%s: [web-0, web-2]}".formatted(fixture.namespace));

    requests.awaitComplete("some", "True DrainComplete");
    assertThat(fixture.podsOn(node))
        .extracting(pod -> pod.getMetadata().getName())
        .containsExactly("web-1");
    assertThat(requests.status("some").podsGone()).isEqualTo(2);
  }

  @Test
  void deletionCallsTheDrainOffAndLeavesWhatWasNotTouched() {
    DrainFixture.serve(engine);
    String node = requests.blocked("cancelled", 2);

    fixture.kubectl("delete", "drainrequest", "cancelled", "-n", fixture.namespace);

    assertThat(requests.schedulable(node)).isTrue();
    assertThat(fixture.podsOn(node)).hasSize(2);
  }

  @Test
  void waitsWhileThePolicyRefusesPodsAndTakesAnEditedOne() {
    String node = fixture.node();
    fixture.pods(node, "bare", 1);
    DrainFixture.serve(engine);
    requests.request("careful", node);
    requests.awaitComplete("careful", "False Refused");
    assertThat(requests.status("careful").blockers())
        .extracting(DrainRequestStatus.Blocker::reason)
        .containsExactly("Unmanaged");

    fixture.kubectl(
        "patch",
        "drainrequest",
        "careful",
        "-n",
        fixture.namespace,
        "--type=merge",
        "-p",
        "{\"spec\":{\"policy\":{\"force\":true}}}");

    requests.awaitComplete("careful", "True DrainComplete");
  }

  @Test
  void aPersonWhoUncordonsTheNodeCallsItOff() {
    DrainFixture.serve(engine);
    String node = requests.blocked("overruled", 1);

    fixture.kubectl("uncordon", node);

    requests.awaitComplete("overruled", "False DrainCancelled");
    assertThat(requests.schedulable(node)).isTrue();
    assertThat(fixture.podsOn(node)).hasSize(1);
  }

  @Test
  void aPersonWhoUncordonsTheNodeWhileNobodyServesCallsItOff() {
    DrainFixture.serve(engine);
    String node = requests.blocked("overruled", 1);
    engine.close();

    fixture.kubectl("uncordon", node);
    fixture.kubectl("delete", "pdb", "keep", "-n", fixture.namespace);
    engine = fixture.engine();
    DrainFixture.serve(engine);

    requests.awaitComplete("overruled", "False DrainCancelled");
    assertThat(requests.schedulable(node)).isTrue();
    assertThat(engine.holds().read(node).byHolder()).isEmpty();
    assertThat(fixture.podsOn(node)).hasSize(1);
  }

  @Test
  void aPersonWhoReleasesTheHoldWhileNobodyServesCallsItOff() {
    DrainFixture.serve(engine);
    String node = requests.blocked("released", 1);
    engine.close();

    engine = fixture.engine();
    var _ = engine.holds().releaseEverything(node);
    DrainFixture.serve(engine);

    requests.awaitComplete("released", "False DrainCancelled");
    assertThat(requests.schedulable(node)).isTrue();
    assertThat(fixture.podsOn(node)).hasSize(1);
  }

  @Test
  void theTimesOfAChangedRequestCountFromTheChange() {
    String node = fixture.node();
    fixture.pods(node, "guarded", 1);
    fixture.budget("keep", "guarded", 1);
    DrainFixture.serve(engine);
    requests.request("hasty", node, "policy: {force: true, deadlineSeconds: 1}");
    requests.awaitComplete("hasty", "False DrainFailed");
    Instant first = since(node, "hasty");

    fixture.kubectl(
        "patch",
        "drainrequest",
        "hasty",
        "-n",
        fixture.namespace,
        "--type=merge",
        "-p",
        "{\"spec\":{\"reason\":\"again\",\"policy\":{\"deadlineSeconds\":3600}}}");

    requests.awaitComplete("hasty", "False Blocked");
    assertThat(since(node, "hasty")).isAfter(first);
    assertThat(requests.schedulable(node)).isFalse();
  }

  @Test
  void aCompleteRequestThatIsChangedToAnotherNodeDrainsThatOneAndReleasesTheFirst() {
    String first = fixture.node();
    String second = fixture.node();
    fixture.pods(second, "web", 1);
    DrainFixture.keepHolds(engine, List.of(DrainRequestController.HOLD_OWNER));
    DrainFixture.serve(engine);
    requests.request("moved", first, FORCE);
    requests.awaitComplete("moved", "True NoPods");

    fixture.kubectl(
        "patch",
        "drainrequest",
        "moved",
        "-n",
        fixture.namespace,
        "--type=merge",
        "-p",
        "{\"spec\":{\"nodeName\":\"" + second + "\"}}");

    requests.awaitComplete("moved", "True DrainComplete");
    assertThat(fixture.podsOn(second)).isEmpty();
    assertThat(held(second, "moved")).isTrue();
    fixture.eventually().until(() -> requests.schedulable(first));
    requests.all().withName("moved").delete();
    requests.awaitGone("moved");
    assertThat(requests.schedulable(second)).isTrue();
  }

  @Test
  void whileEverythingIsStoppedNoNodeLeavesServiceAndHeldOnesStayHeld() {
    String early = fixture.node();
    String late = fixture.node();
    fixture.pods(early, "guarded", 1);
    fixture.pods(late, "web", 1);
    fixture.budget("keep", "guarded", 1);
    DrainFixture.serve(engine);
    requests.request("early", early, FORCE);
    requests.awaitComplete("early", "False Blocked");

    engine.stop("a test");
    requests.request("late", late, FORCE);

    fixture
        .eventually()
        .until(() -> requests.status("late"), status -> status.toString().contains("AndonStop"));
    assertThat(requests.schedulable(late)).isTrue();
    assertThat(held(late, "late")).isFalse();
    assertThat(held(early, "early")).isTrue();

    engine.resume();

    requests.awaitComplete("late", "True DrainComplete");
    assertThat(held(late, "late")).isTrue();
  }

  private Instant since(String node, String request) {
    return Objects.requireNonNull(
            engine
                .holds()
                .read(node)
                .byHolder()
                .get("drainrequest/" + fixture.namespace + "/" + request))
        .since();
  }

  @Test
  void givesUpWhenTheTimeOfTheRequestIsUp() {
    String node = fixture.node();
    fixture.pods(node, "guarded", 1);
    fixture.budget("keep", "guarded", 1);
    DrainFixture.serve(engine);

    requests.request("hasty", node, "policy: {force: true, deadlineSeconds: 1}");

    requests.awaitComplete("hasty", "False DrainFailed");
    assertThat(fixture.podsOn(node)).hasSize(1);
    assertThat(held(node, "hasty")).isTrue();
    assertThat(requests.condition("hasty", "Complete")).isEqualTo("False DrainFailed");
    assertThat(requests.condition("hasty", "Failed")).isEqualTo("True DrainFailed");

    fixture.kubectl(
        "patch",
        "drainrequest",
        "hasty",
        "-n",
        fixture.namespace,
        "--type=merge",
        "-p",
        "{\"spec\":{\"policy\":{\"deadlineSeconds\":600}}}");

    requests.awaitComplete("hasty", "False Blocked");
    assertThat(requests.condition("hasty", "Failed")).isEqualTo("False Blocked");
  }

  @Test
  void saysWhatIsWrongWithARequest() {
    DrainFixture.serve(engine);
    requests.request("no-node", "no-such-node");
    requests.request("bad-policy", fixture.node(), "policy: {podSelector: 'a in ('}");

    requests.awaitComplete("no-node", "False NodeNotFound");
    requests.awaitComplete("bad-policy", "False InvalidRequest");
    requests.all().withName("no-node").delete();
    requests.awaitGone("no-node");
  }

  @Test
  void keepsConditionsOfOthers() {
    String node = fixture.node();
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
                      null,
                      null));
              return request;
            });
    DrainFixture.serve(engine);

    requests.awaitComplete("shared", "True NoPods");
    assertThat(requests.status("shared").conditions())
        .extracting(Condition::type)
        .containsExactly("Seen", "DrainComplete", "Complete", "Failed");
  }

  @Test
  void twoRequestsForOneNodeAreOneDrainAndTheLastToGoReleasesIt() {
    String node = fixture.node();
    fixture.pods(node, "web", 4);
    DrainFixture.serve(engine);
    requests.request("first", node, FORCE);
    requests.request("second", node, FORCE);
    fixture.eventually().until(() -> requests.complete("first").startsWith("True"));
    fixture.eventually().until(() -> requests.complete("second").startsWith("True"));

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
    engine = fixture.engine();
  }

  private boolean killAndContinue(int lastCall, boolean carriesItOut) {
    String node = fixture.node();
    String word = "n" + lastCall + (carriesItOut ? "-after" : "-before");
    fixture.pods(node, word, 2);
    fixture.budget(word, word, 0);
    requests.request(word, node, FORCE);
    Map<String, AtomicInteger> evictions = new ConcurrentHashMap<>();

    DyingEngine dying = new DyingEngine(lastCall, carriesItOut, evictions);
    boolean survived;
    try (DrainEngine first = fixture.engine(dying)) {
      DrainFixture.serve(first);
      fixture
          .eventually()
          .until(() -> dying.isDead() || requests.complete(word).startsWith("True"));
      survived = !dying.isDead();
    }
    try (DrainEngine second = fixture.engine(new DyingEngine(Integer.MAX_VALUE, true, evictions))) {
      DrainFixture.serve(second);
      requests.awaitComplete(word, "True DrainComplete");
      assertThat(fixture.podsOn(node)).as("killed at call %d", lastCall).isEmpty();
      assertThat(evictions.values()).allSatisfy(count -> assertThat(count).hasValue(1));
      requests.all().withName(word).delete();
      requests.awaitGone(word);
    }
    assertThat(requests.schedulable(node)).as("killed at call %d", lastCall).isTrue();
    return survived;
  }

  @Test
  void whoTakesOverCountsThePodsThatWentWhileNobodyLooked() {
    DrainFixture.serve(engine);
    String node = requests.blocked("taken-over", 3);
    assertThat(requests.status("taken-over").podsLeft()).isEqualTo(3);
    engine.close();

    fixture.kubectl("delete", "pod", "guarded-1", "-n", fixture.namespace);
    fixture.kubectl("delete", "pdb", "keep", "-n", fixture.namespace);
    engine = fixture.engine();
    DrainFixture.serve(engine);

    requests.awaitComplete("taken-over", "True DrainComplete");
    assertThat(fixture.podsOn(node)).isEmpty();
    assertThat(requests.status("taken-over").podsGone()).isEqualTo(3);
    assertThat(requests.status("taken-over").podsLeft()).isZero();
  }

  @Test
  void aPodThatDoesNotStopIsNotCalledGone() {
    String node = fixture.node();
    fixture.pods(node, "stubborn", 1, Map.of(Knob.REFUSE_STOP, "true"));
    DrainFixture.serve(engine);
    requests.request("stuck", node, FORCE);

    fixture
        .eventually()
        .until(() -> fixture.podsOn(node).getFirst().getMetadata().getDeletionTimestamp() != null);
    fixture.eventually().until(() -> Objects.equals(requests.status("stuck").podsLeft(), 1));
    assertThat(requests.complete("stuck")).startsWith("False");
    fixture.kubectl(
        "annotate", "pods", "--all", "-n", fixture.namespace, Knob.REFUSE_STOP.annotation() + "-");
    requests.awaitComplete("stuck", "True DrainComplete");
  }
}
