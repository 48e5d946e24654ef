package dev.drydock.drain.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.drain.request.DrainRequestController;
import dev.drydock.drain.request.decide.ServedRequests;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testkit.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Holds are of objects, not of names, and there are never too many of them on a node. */
class HoldIdentityTest {
  private static final String HOLDER = "drainrequest/default/same";

  private final TestCluster cluster = TestCluster.simulated();
  private final DrainFixture fixture = new DrainFixture(cluster, "default");
  private final AtomicInteger nodePatches = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();
  private final DrainEngine engine =
      new DrainEngine(
          fixture
              .process(
                  new RequestInterceptor() {
                    @Override
                    public void before(ApiCall call) {
                      calls.incrementAndGet();
                      if (call.verb() == ApiCall.Verb.PATCH && call.path().contains("/nodes/")) {
                        nodePatches.incrementAndGet();
                      }
                    }

                    @Override
                    public void after(ApiCall call, int code) {}
                  })
              .kube());
  private final DrainRequestFixture requests = fixture.requests();

  @AfterEach
  void close() {
    engine.close();
    fixture.close();
  }

  private Hold hold(String node) {
    return requireNonNull(engine.holds().read(node).byHolder().get(HOLDER));
  }

  private String uid() {
    return requests.read("same").getMetadata().getUid();
  }

  private String guarded() {
    String node = fixture.node();
    fixture.pods(node, "guarded", 1);
    fixture.budget("keep", "guarded", 1);
    return node;
  }

  @Test
  void aRequestMadeAgainUnderAnOldNameInheritsNothing() {
    String node = guarded();
    Instant longAgo = fixture.now().minus(Duration.ofHours(1));
    engine.holds().place(node, Hold.of(HOLDER, "an earlier one", longAgo).ownedBy("earlier"));
    DrainRequestController.start(engine, ServedRequests.UNCLAIMED);

    requests.request("same", node, "policy: {force: true, deadlineSeconds: 600}");

    requests.awaitComplete("same", "False Blocked");
    assertThat(hold(node).owner()).contains(uid());
    assertThat(hold(node).since()).isAfter(longAgo);
    assertThat(engine.holds().read(node).byHolder()).containsOnlyKeys(HOLDER);
  }

  @Test
  void theEndOfARequestLeavesTheHoldOfItsSuccessor() {
    String node = guarded();
    DrainRequestController.start(engine, ServedRequests.UNCLAIMED);
    requests.request("same", node, DrainRequestFixture.FORCE);
    requests.awaitComplete("same", "False Blocked");
    String first = uid();

    // In one moment for the process: the request goes without its finalizer, and comes again.
    requests.all().withName("same").delete();
    requests.finalizers("same");
    requests.request("same", node, DrainRequestFixture.FORCE);

    requests.awaitComplete("same", "False Blocked");
    cluster.pass(Duration.ofMinutes(1));
    assertThat(uid()).isNotEqualTo(first);
    assertThat(requests.complete("same")).isEqualTo("False Blocked");
    assertThat(hold(node).owner()).contains(uid());
    requests.all().withName("same").delete();
    requests.awaitGone("same");
    assertThat(requests.schedulable(node)).isTrue();
  }

  @Test
  void aHoldThatNamesNoOwnerIsContinuedAndReleased() {
    String node = guarded();
    Instant begun = fixture.now().minus(Duration.ofMinutes(1));
    engine.holds().place(node, Hold.of(HOLDER, "an earlier build", begun));
    DrainRequestController.start(engine, ServedRequests.UNCLAIMED);
    requests.request("same", node, DrainRequestFixture.FORCE);

    requests.awaitComplete("same", "False Blocked");
    assertThat(hold(node).since()).isEqualTo(begun);
    assertThat(hold(node).owner()).contains(uid());
    requests.all().withName("same").delete();
    requests.awaitGone("same");
    assertThat(requests.schedulable(node)).isTrue();
  }

  @Test
  void theHoldsOfManyOwnersThatAreGoneEndInOnePatch() {
    String node = fixture.node();
    for (int i = 0; i < Holds.MOST; i++) {
      engine.holds().place(node, Hold.of("drainrequest/default/no-" + i, "", fixture.now()));
    }
    nodePatches.set(0);

    DrainFixture.keepHolds(engine, List.of(DrainRequestController.HOLD_OWNER));

    fixture.eventually().until(() -> requests.schedulable(node));
    assertThat(nodePatches).hasValue(1);
    assertThat(fixture.events(node))
        .filteredOn(event -> event.getReason().equals("HoldReleased"))
        .hasSize(1);
  }

  @Test
  void aNodeTakesNoMoreHoldsThanAllowedAndSaysSo() {
    String node = guarded();
    for (int i = 0; i < Holds.MOST; i++) {
      engine.holds().place(node, Hold.of("test/" + i, "", fixture.now()));
    }
    DrainRequestController.start(engine, ServedRequests.UNCLAIMED);

    assertThatThrownBy(() -> engine.holds().place(node, Hold.of("test/one", "", fixture.now())))
        .isInstanceOf(HoldsUnreadable.class)
        .hasMessageContaining("64 holds already");
    requests.request("same", node, DrainRequestFixture.FORCE);

    requests.awaitComplete("same", "False Blocked");
    assertThat(requireNonNull(requests.status("same").blockers()))
        .singleElement()
        .satisfies(
            blocker -> {
              assertThat(blocker.reason()).isEqualTo("NotHeld");
              assertThat(blocker.message()).contains(node + " has 64 holds already");
            });
    assertThat(fixture.podsOn(node)).hasSize(1);
  }

  @Test
  void aRequestForANodeWithoutRoomForItsHoldGoesOnWhenThereIsRoom() {
    String node = fixture.node();
    fixture.pods(node, "web", 1);
    for (int i = 0; i < Holds.MOST; i++) {
      engine.holds().place(node, Hold.of("test/" + i, "", fixture.now()));
    }
    DrainRequestController.start(engine, ServedRequests.UNCLAIMED);
    requests.request("same", node, DrainRequestFixture.FORCE);
    requests.awaitComplete("same", "False Blocked");

    var _ = engine.holds().release(node, "test/0");

    requests.awaitComplete("same", "True DrainComplete");
    assertThat(fixture.podsOn(node)).isEmpty();
    assertThat(requests.status("same").blockers()).isNullOrEmpty();
  }

  @Test
  void manyRequestsThatWaitForRoomOnOneNodeCostNothingMeanwhile() {
    String node = guarded();
    for (int i = 0; i < Holds.MOST; i++) {
      engine.holds().place(node, Hold.of("test/" + i, "", fixture.now()));
    }
    var _ = engine.everyNode(); // as in an operator
    DrainRequestController.start(engine, ServedRequests.UNCLAIMED);
    for (int i = 0; i < 200; i++) {
      requests.request("waits-" + i, node, DrainRequestFixture.FORCE);
    }
    for (int i = 0; i < 200; i++) {
      requests.awaitComplete("waits-" + i, "False Blocked");
    }
    cluster.pass(Duration.ofMinutes(1));
    calls.set(0);
    nodePatches.set(0);

    cluster.pass(Duration.ofMinutes(3));
    assertThat(calls.get()).as("requests of a minute's watches only").isLessThan(20);

    var _ = engine.holds().release(node, "test/0");
    cluster.pass(Duration.ofMinutes(1));
    assertThat(engine.holds().read(node).byHolder()).hasSize(Holds.MOST);
    assertThat(calls.get()).isLessThan(60);
  }

  @Test
  void aRequestThatWaitsForRoomIsNotTakenForOneThatAPersonEnded() {
    String node = guarded();
    for (int i = 0; i < Holds.MOST; i++) {
      engine.holds().place(node, Hold.of("test/" + i, "", fixture.now()));
    }
    DrainRequestController.start(engine, ServedRequests.UNCLAIMED);
    requests.request("same", node, DrainRequestFixture.FORCE);
    requests.awaitComplete("same", "False Blocked");
    engine.close();

    try (DrainEngine next = fixture.engine()) {
      var _ = next.holds().release(node, "test/0");
      DrainRequestController.start(next, ServedRequests.UNCLAIMED);

      fixture
          .eventually()
          .until(() -> Integer.valueOf(1).equals(requests.status("same").podsLeft()));
      assertThat(requests.complete("same")).isEqualTo("False Blocked");
      assertThat(next.holds().read(node).heldBy(HOLDER)).isTrue();
    }
  }

  @Test
  void aRequestForANodeWhoseHoldsCannotBeReadWaitsUntilTheyCan() {
    String node = fixture.node();
    fixture.kubectl("annotate", "node", node, "drydock.dev/holds=garbage");
    DrainRequestController.start(engine, ServedRequests.UNCLAIMED);
    requests.request("same", node, DrainRequestFixture.FORCE);
    requests.awaitComplete("same", "False Blocked");

    fixture.kubectl("annotate", "node", node, "drydock.dev/holds-");

    requests.awaitComplete("same", "True NoPods");
  }
}
