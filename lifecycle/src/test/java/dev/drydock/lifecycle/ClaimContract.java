package dev.drydock.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.lifecycle.api.TransitionHistory;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which events are taken, and in which order. */
abstract class ClaimContract extends LifecycleContract {
  @Test
  void whoComesFirstIsServedFirst() {
    String node = blockedNode();
    TestAgent _ = fixture.agent(node);
    fixture.event("a-" + node, LifecycleFixture.DRAIN, node);
    awaitBlocked("a-" + node);

    fixture.event("b-" + node, LifecycleFixture.DRAIN, node);
    eventually()
        .until(() -> fixture.message("b-" + node).startsWith("waits for LifecycleEvents of node"));
    assertThat(fixture.claim("b-" + node)).isEqualTo("Pending");

    openBudget();
    fixture.awaitGone("a-" + node);
    fixture.awaitGone("b-" + node);
    assertThat(fixture.history(node).entries())
        .extracting(TransitionHistory.Entry::event)
        .containsExactly("a-" + node, "b-" + node);
    assertThat(fixture.history(node).entries())
        .extracting(TransitionHistory.Entry::outcome)
        .containsOnly("Succeeded");
  }

  @Test
  void aTransitionForOtherNodesIsRejectedForItsAuthorToRead() {
    String node = fixture.node();
    fixture.transition("other-" + node, "nodeName: " + node + "-other");
    TestAgent _ = fixture.agent(node);

    fixture.event("wrong-" + node, "other-" + node, node);
    eventually().until(() -> fixture.claim("wrong-" + node).equals("Failed"));

    String why = "LifecycleTransition other-%s is not for node %s".formatted(node, node);
    assertThat(fixture.message("wrong-" + node)).isEqualTo(why);
    eventually()
        .until(
            () ->
                fixture
                    .told(node)
                    .contains("LifecycleEventRejected: wrong-%s: %s".formatted(node, why)));
    fixture.event("right-" + node, LifecycleFixture.DRAIN, node);
    fixture.awaitGone("right-" + node);
    assertThat(fixture.claim("wrong-" + node)).isEqualTo("Failed");
    assertThat(fixture.find("wrong-" + node).orElseThrow().getMetadata().getFinalizers()).isEmpty();

    var _ = fixture.kubectl("delete", "lifecycleevents.lifecycle.k8s.io", "wrong-" + node).output();
    fixture.awaitGone("wrong-" + node);
  }

  @Test
  void aTransitionMayCoverNodesByLabel() {
    String node = fixture.node();
    fixture.transition(
        "labelled-" + node,
        """
        nodeSelector: {nodeSelectorTerms: [{matchExpressions: [
          {key: rack, operator: In, values: [r7]}]}]}\
        """);
    var _ = fixture.kubectl("label", "node", node, "rack=r7").output();
    TestAgent _ = fixture.agent(node);

    fixture.event("drain-" + node, "labelled-" + node, node);
    fixture.awaitGone("drain-" + node);

    assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
    assertThat(fixture.condition(node).orElseThrow().getMessage())
        .isEqualTo("Lifecycle Transition 'labelled-" + node + "'");
  }

  @Test
  void leavesEventsToAKubeletThatRegistersTheDriver() {
    String node = fixture.node();
    TestAgent _ = fixture.agent(node);
    fixture.kubeletSays(node, true, "");

    fixture.event("drain-" + node, LifecycleFixture.DRAIN, node);

    eventually()
        .holdsFor(
            Duration.ofSeconds(1),
            () -> {
              assertThat(fixture.claim("drain-" + node)).isEqualTo("Pending");
              assertThat(fixture.isCordoned(node)).isFalse();
            });
    fixture.kubeletSays(node, false, "no handler");
    fixture.awaitGone("drain-" + node);
    assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
  }

  @Test
  void anEventWaitsForItsTransition() {
    String node = fixture.node();
    TestAgent _ = fixture.agent(node);

    fixture.event("early-" + node, "coming-" + node, node);
    eventually()
        .until(
            () ->
                fixture
                    .message("early-" + node)
                    .startsWith(
                        "waits for LifecycleTransition coming-" + node + ", which does not exist"));
    assertThat(fixture.claim("early-" + node)).isEqualTo("Pending");

    fixture.transition("coming-" + node, "allNodes: true");
    fixture.awaitGone("early-" + node);
    assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
  }

  @ParameterizedTest
  @CsvSource({
    "lifecycle.k8s.io, kssd-drain, kssd-maintenance-complete",
    "lifecycle.k8s.io, kssd-drain, kssd-maintenance-completed",
    LifecycleNames.OWN_GROUP + ", drain.slm.k8s.io, drain.slm.k8s.io-uncordon"
  })
  void otherNamesAndTheOwnGroupDoTheSame(String group, String drain, String uncordon) {
    String node = fixture.node();
    fixture.pod("web", node);
    TestAgent _ = fixture.agent(node);

    fixture.event(group, "drain-" + node, drain, node);
    eventually().until(() -> fixture.history(node).entries().size() == 1);
    assertThat(fixture.pods(node)).isEmpty();
    assertThat(fixture.isCordoned(node)).isTrue();

    fixture.event(group, "uncordon-" + node, uncordon, node);
    eventually().until(() -> fixture.history(node).entries().size() == 2);
    assertThat(fixture.isCordoned(node)).isFalse();
    assertThat(fixture.history(node).entries())
        .extracting(TransitionHistory.Entry::outcome)
        .containsOnly("Succeeded");
    eventually()
        .until(
            () ->
                fixture
                    .kubectl("get", "lifecycleevents." + group, "-o", "name")
                    .output()
                    .lines()
                    .noneMatch(name -> name.endsWith(node)));
  }
}
