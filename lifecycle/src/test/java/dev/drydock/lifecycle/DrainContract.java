package dev.drydock.lifecycle;

import static dev.drydock.lifecycle.Pier.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.decide.Hold;
import dev.drydock.drain.kube.Drains;
import dev.drydock.kube.CallHook;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How nodes are drained and given back. */
abstract class DrainContract extends PierContract {
  private static final String HOLDER = "lifecycle/" + Pier.DRAIN;

  /** Less than a driver holds a call. */
  private static final Duration SOON = Duration.ofSeconds(20);

  @Test
  void drainsAndGivesBackAsTheReadmeHasIt() {
    String node = pier.node();
    pier.pod("web", node);
    List<String> reasons = pier.reasons(node);
    Agent _ = pier.agent(node);

    pier.event("drain-" + node, Pier.DRAIN, node);
    pier.awaitGone("drain-" + node);

    assertThat(pier.pods(node)).isEmpty();
    assertThat(pier.isCordoned(node)).isTrue();
    assertThat(pier.last(node).outcome()).isEqualTo("Succeeded");

    pier.event("uncordon-" + node, Pier.UNCORDON, node);
    pier.awaitGone("uncordon-" + node);

    assertThat(pier.isCordoned(node)).isFalse();
    eventually()
        .untilAsserted(
            () ->
                assertThat(reasons)
                    .containsExactly(
                        "drain-started", "drain-complete", "uncordoning", "maintenance-complete"));
    assertThat(pier.told(node))
        .anyMatch(told -> told.startsWith("LifecycleEventClaimed: drain-" + node))
        .contains("LifecycleEventSucceeded: drain-" + node + ": drain-complete");
  }

  @Test
  void waitsForABudgetAndSaysSoUntilItOpens() {
    String node = blockedNode();
    Agent _ = pier.agent(node);

    pier.event("drain-" + node, Pier.DRAIN, node);

    awaitBlocked("drain-" + node);
    assertThat(pier.claim("drain-" + node)).isEqualTo("Claimed");

    openBudget();
    pier.awaitGone("drain-" + node);
    assertThat(pier.pods(node)).isEmpty();
  }

  @Test
  void theConditionIsExactAndWrittenOnChangeOnly() {
    String node = blockedNode();
    Writes writes = new Writes();
    Agent _ = pier.agent(node, usual -> usual, writes);
    pier.event("drain-" + node, Pier.DRAIN, node);
    awaitBlocked("drain-" + node);

    assertThat(pier.condition(node))
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
    eventually().until(() -> pier.told(node).toString().contains("LifecycleEventBlocked"));
    awaitQuiet(writes);
    int before = writes.all();
    for (int i = 0; i < 5; i++) { // wakes everybody who watches the node
      var _ = pier.kubectl("label", "node", node, "--overwrite", "turn=" + i).output();
    }
    awaitQuiet(writes);
    assertThat(writes.since(before)).isEmpty();

    openBudget();
    pier.awaitGone("drain-" + node);
    assertThat(writes.ofCondition()).isEqualTo(2);
  }

  private static void awaitQuiet(Writes writes) {
    int[] last = {-1};
    eventually()
        .pollInterval(Duration.ofMillis(700))
        .until(
            () -> {
              int before = last[0];
              last[0] = writes.all();
              return before == last[0];
            });
  }

  @Test
  void drainsAgainAfterAManualUncordonAlthoughTheConditionSaysItIsComplete() {
    String node = pier.node();
    Agent _ = pier.agent(node);
    pier.event("drain-" + node, Pier.DRAIN, node);
    pier.awaitGone("drain-" + node);
    var _ = pier.kubectl("uncordon", node).output();
    pier.pod("late", node);

    pier.event("drain-" + node, Pier.DRAIN, node); // by the very same name
    eventually().until(() -> pier.history(node).entries().size() == 2);

    assertThat(pier.pods(node)).isEmpty();
    assertThat(pier.isCordoned(node)).isTrue();
    assertThat(pier.holders(node)).containsExactly(HOLDER);
    assertThat(pier.last(node).outcome()).isEqualTo("Succeeded");
  }

  @Test
  void drainsAgainWhileTheNodeIsStillHeld() {
    String node = pier.node();
    Agent _ = pier.agent(node);
    pier.event("first-" + node, Pier.DRAIN, node);
    pier.awaitGone("first-" + node);
    pier.pod("late", node);

    pier.event("second-" + node, Pier.DRAIN, node);
    pier.awaitGone("second-" + node);

    assertThat(pier.pods(node)).isEmpty();
    assertThat(pier.history(node).entries()).hasSize(2);
    assertThat(pier.last(node).outcome()).isEqualTo("Succeeded");
  }

  @Test
  void aCordonFromBeforeGoesWithTheUncordonEvent() {
    String node = pier.node();
    var _ = pier.kubectl("cordon", node).output();
    Agent _ = pier.agent(node);
    pier.event("drain-" + node, Pier.DRAIN, node);
    pier.awaitGone("drain-" + node);
    assertThat(pier.holders(node)).containsExactlyInAnyOrder(Hold.EXTERNAL, HOLDER);

    pier.event("uncordon-" + node, Pier.UNCORDON, node);
    pier.awaitGone("uncordon-" + node);

    assertThat(pier.isCordoned(node)).isFalse();
    assertThat(pier.last(node).outcome()).isEqualTo("Succeeded");
  }

  @Test
  void aNodeThatOthersHoldIsGivenBackWhenTheyLetGo() {
    String node = pier.node();
    Drains drains = pier.drains();
    var _ = drains.holds().place(node, Hold.of("drain/other", "firmware", Instant.now()));
    Agent _ = pier.agent(node);
    pier.event("drain-" + node, Pier.DRAIN, node);
    pier.awaitGone("drain-" + node);

    pier.event("uncordon-" + node, Pier.UNCORDON, node);
    eventually().until(() -> pier.message("uncordon-" + node).equals("held by drain/other"));
    assertThat(pier.isCordoned(node)).isTrue();
    assertThat(pier.holders(node)).containsExactly("drain/other");

    var _ = drains.holds().release(node, "drain/other");
    pier.awaitGone("uncordon-" + node);
    assertThat(pier.isCordoned(node)).isFalse();
    assertThat(pier.last(node).outcome()).isEqualTo("Succeeded");
  }

  @Test
  void aDeletedEventStopsItsDrainAndReleasesTheNode() {
    String node = blockedNode();
    Agent _ = pier.agent(node);
    pier.event("drain-" + node, Pier.DRAIN, node);
    awaitBlocked("drain-" + node);

    pier.delete("drain-" + node);
    pier.awaitGone("drain-" + node);

    assertThat(pier.isCordoned(node)).isFalse();
    assertThat(pier.holders(node)).isEmpty();
    assertThat(pier.last(node).outcome()).isEqualTo("Failed");
    assertThat(pier.last(node).message()).contains("was deleted", "was released");
    staysPut(node);
  }

  @Test
  void aDeletedEventMayLeaveTheNodeHeld() {
    String node = blockedNode();
    Agent _ = pier.agent(node, Pier::keepingCancelled, CallHook.NONE);
    pier.event("drain-" + node, Pier.DRAIN, node);
    awaitBlocked("drain-" + node);

    pier.delete("drain-" + node);
    pier.awaitGone("drain-" + node);

    assertThat(pier.isCordoned(node)).isTrue();
    assertThat(pier.holders(node)).containsExactly(HOLDER);
    assertThat(pier.last(node).message()).contains("was deleted", "stays held");
    staysPut(node);
  }

  @Test
  void aDeletedUncordonEventDoesNotWaitForOthers() {
    String node = pier.node();
    var _ = pier.drains().holds().place(node, Hold.of("drain/other", "firmware", Instant.now()));
    Agent _ = pier.agent(node);
    pier.event("uncordon-" + node, Pier.UNCORDON, node);
    eventually().until(() -> pier.message("uncordon-" + node).equals("held by drain/other"));

    pier.delete("uncordon-" + node);
    eventually().atMost(SOON).until(() -> pier.find("uncordon-" + node).isEmpty());

    assertThat(pier.isCordoned(node)).isTrue();
    assertThat(pier.last(node).outcome()).isEqualTo("Failed");
  }

  /** Although the budget lets it go now. */
  private void staysPut(String node) {
    openBudget();
    eventually()
        .during(Duration.ofSeconds(1))
        .until(() -> pier.pods(node).size() == 1 && !pier.isGoing(pier.pods(node).getFirst()));
  }
}
