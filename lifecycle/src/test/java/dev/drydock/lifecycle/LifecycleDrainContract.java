package dev.drydock.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.kube.ObjectName;
import dev.drydock.kube.RequestInterceptor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How nodes are drained and given back. */
abstract class LifecycleDrainContract extends LifecycleContract {
  private static final String HOLDER = "lifecycle/" + LifecycleFixture.DRAIN;

  /** Less than a driver holds a call. */
  private static final Duration SOON = Duration.ofSeconds(20);

  @Test
  void drainsAndGivesBackAsTheReadmeHasIt() {
    String node = fixture.node();
    fixture.pod("web", node);
    List<String> reasons = fixture.reasons(node);
    TestAgent _ = fixture.agent(node);

    fixture.event("drain-" + node, LifecycleFixture.DRAIN, node);
    fixture.awaitGone("drain-" + node);

    assertThat(fixture.pods(node)).isEmpty();
    assertThat(fixture.isCordoned(node)).isTrue();
    assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");

    fixture.event("uncordon-" + node, LifecycleFixture.UNCORDON, node);
    fixture.awaitGone("uncordon-" + node);

    assertThat(fixture.isCordoned(node)).isFalse();
    eventually()
        .untilAsserted(
            () ->
                assertThat(reasons)
                    .containsExactly(
                        "drain-started", "drain-complete", "uncordoning", "maintenance-complete"));
    assertThat(fixture.told(node))
        .anyMatch(told -> told.startsWith("LifecycleEventClaimed: drain-" + node))
        .contains("LifecycleEventSucceeded: drain-" + node + ": drain-complete");
  }

  @Test
  void aNodeMayHaveTheLongestName() {
    String node = fixture.nodeWithLongName();
    fixture.pod("web", node);
    TestAgent _ = fixture.agent(node);
    String drain = ObjectName.of("drain-" + node);
    String uncordon = ObjectName.of("uncordon-" + node);

    fixture.event(drain, LifecycleFixture.DRAIN, node);
    fixture.awaitGone(drain);
    assertThat(fixture.pods(node)).isEmpty();
    assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");

    fixture.event(uncordon, LifecycleFixture.UNCORDON, node);
    fixture.awaitGone(uncordon);
    assertThat(fixture.isCordoned(node)).isFalse();
  }

  @Test
  void waitsForABudgetAndSaysSoUntilItOpens() {
    String node = blockedNode();
    TestAgent _ = fixture.agent(node);

    fixture.event("drain-" + node, LifecycleFixture.DRAIN, node);

    awaitBlocked("drain-" + node);
    assertThat(fixture.claim("drain-" + node)).isEqualTo("Claimed");

    openBudget();
    fixture.awaitGone("drain-" + node);
    assertThat(fixture.pods(node)).isEmpty();
  }

  @Test
  void theConditionIsExactAndWrittenOnChangeOnly() {
    String node = blockedNode();
    RecordedWrites writes = new RecordedWrites();
    TestAgent _ = fixture.agent(node, usual -> usual, writes);
    fixture.event("drain-" + node, LifecycleFixture.DRAIN, node);
    awaitBlocked("drain-" + node);

    assertThat(fixture.condition(node))
        .hasValueSatisfying(
            condition -> {
              assertThat(condition.getStatus()).isEqualTo("True");
              assertThat(condition.getReason()).isEqualTo("drain-started");
              assertThat(condition.getMessage())
                  .isEqualTo("Lifecycle Transition 'drain.slm.k8s.io'");
              assertThat(condition.getLastHeartbeatTime())
                  .isEqualTo(condition.getLastTransitionTime());
            });
    assertThat(writes.ofCondition()).isEqualTo(1);
    eventually().until(() -> fixture.told(node).toString().contains("LifecycleEventBlocked"));
    awaitQuiet(writes);
    int before = writes.all();
    for (int i = 0; i < 5; i++) { // wakes everybody who watches the node
      var _ = fixture.kubectl("label", "node", node, "--overwrite", "turn=" + i).output();
    }
    awaitQuiet(writes);
    assertThat(writes.since(before)).isEmpty();

    openBudget();
    fixture.awaitGone("drain-" + node);
    assertThat(writes.ofCondition()).isEqualTo(2);
  }

  private void awaitQuiet(RecordedWrites writes) {
    int before;
    do {
      before = writes.all();
      fixture.cluster().pass(Duration.ofMillis(1400));
    } while (before != writes.all());
  }

  @Test
  void drainsAgainAfterAManualUncordonAlthoughTheConditionSaysItIsComplete() {
    String node = fixture.node();
    TestAgent _ = fixture.agent(node);
    fixture.event("drain-" + node, LifecycleFixture.DRAIN, node);
    fixture.awaitGone("drain-" + node);
    var _ = fixture.kubectl("uncordon", node).output();
    fixture.pod("late", node);

    fixture.event("drain-" + node, LifecycleFixture.DRAIN, node); // by the very same name
    eventually().until(() -> fixture.history(node).entries().size() == 2);

    assertThat(fixture.pods(node)).isEmpty();
    assertThat(fixture.isCordoned(node)).isTrue();
    assertThat(fixture.holders(node)).containsExactly(HOLDER);
    assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
  }

  @Test
  void drainsAgainWhileTheNodeIsStillHeld() {
    String node = fixture.node();
    TestAgent _ = fixture.agent(node);
    fixture.event("first-" + node, LifecycleFixture.DRAIN, node);
    fixture.awaitGone("first-" + node);
    fixture.pod("late", node);

    fixture.event("second-" + node, LifecycleFixture.DRAIN, node);
    fixture.awaitGone("second-" + node);

    assertThat(fixture.pods(node)).isEmpty();
    assertThat(fixture.history(node).entries()).hasSize(2);
    assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
  }

  @Test
  void aCordonFromBeforeGoesWithTheUncordonEvent() {
    String node = fixture.node();
    fixture.cordon(node);
    TestAgent _ = fixture.agent(node);
    fixture.event("drain-" + node, LifecycleFixture.DRAIN, node);
    fixture.awaitGone("drain-" + node);
    assertThat(fixture.holders(node)).containsExactlyInAnyOrder(Hold.EXTERNAL, HOLDER);

    fixture.event("uncordon-" + node, LifecycleFixture.UNCORDON, node);
    fixture.awaitGone("uncordon-" + node);

    assertThat(fixture.isCordoned(node)).isFalse();
    assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
  }

  @Test
  void aNodeThatOthersHoldIsGivenBackWhenTheyLetGo() {
    String node = fixture.node();
    DrainEngine engine = fixture.engine();
    var _ = engine.holds().place(node, Hold.of("drain/other", "firmware", Instant.now()));
    TestAgent _ = fixture.agent(node);
    fixture.event("drain-" + node, LifecycleFixture.DRAIN, node);
    fixture.awaitGone("drain-" + node);

    fixture.event("uncordon-" + node, LifecycleFixture.UNCORDON, node);
    eventually().until(() -> fixture.message("uncordon-" + node).equals("held by drain/other"));
    assertThat(fixture.isCordoned(node)).isTrue();
    assertThat(fixture.holders(node)).containsExactly("drain/other");

    var _ = engine.holds().release(node, "drain/other");
    fixture.awaitGone("uncordon-" + node);
    assertThat(fixture.isCordoned(node)).isFalse();
    assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
  }

  @Test
  void aDeletedEventStopsItsDrainAndReleasesTheNode() {
    String node = blockedNode();
    TestAgent _ = fixture.agent(node);
    fixture.event("drain-" + node, LifecycleFixture.DRAIN, node);
    awaitBlocked("drain-" + node);

    fixture.delete("drain-" + node);
    fixture.awaitGone("drain-" + node);

    assertThat(fixture.isCordoned(node)).isFalse();
    assertThat(fixture.holders(node)).isEmpty();
    assertThat(fixture.last(node).outcome()).isEqualTo("Failed");
    assertThat(fixture.last(node).message()).contains("was deleted", "was released");
    staysPut(node);
  }

  @Test
  void aDeletedEventMayLeaveTheNodeHeld() {
    String node = blockedNode();
    TestAgent _ = fixture.agent(node, LifecycleFixture::keepingCancelled, RequestInterceptor.NONE);
    fixture.event("drain-" + node, LifecycleFixture.DRAIN, node);
    awaitBlocked("drain-" + node);

    fixture.delete("drain-" + node);
    fixture.awaitGone("drain-" + node);

    assertThat(fixture.isCordoned(node)).isTrue();
    assertThat(fixture.holders(node)).containsExactly(HOLDER);
    assertThat(fixture.last(node).message()).contains("was deleted", "stays held");
    staysPut(node);
  }

  @Test
  void aDeletedUncordonEventDoesNotWaitForOthers() {
    String node = fixture.node();
    var _ = fixture.engine().holds().place(node, Hold.of("drain/other", "firmware", Instant.now()));
    TestAgent _ = fixture.agent(node);
    fixture.event("uncordon-" + node, LifecycleFixture.UNCORDON, node);
    eventually().until(() -> fixture.message("uncordon-" + node).equals("held by drain/other"));

    fixture.delete("uncordon-" + node);
    eventually().atMost(SOON).until(() -> fixture.find("uncordon-" + node).isEmpty());

    assertThat(fixture.isCordoned(node)).isTrue();
    assertThat(fixture.last(node).outcome()).isEqualTo("Failed");
  }

  /** Although the budget lets it go now. */
  private void staysPut(String node) {
    openBudget();
    eventually()
        .holdsFor(
            Duration.ofSeconds(1),
            () ->
                assertThat(
                        fixture.pods(node).size() == 1
                            && !fixture.isGoing(fixture.pods(node).getFirst()))
                    .isTrue());
  }
}
