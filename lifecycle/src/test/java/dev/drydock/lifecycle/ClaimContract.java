package dev.drydock.lifecycle;

import static dev.drydock.lifecycle.Pier.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.lifecycle.api.History;
import dev.drydock.lifecycle.plugin.RawClient;
import dev.drydock.lifecycle.pluginregistration.RegistrationGrpc;
import dev.drydock.lifecycle.pluginregistration.RegistrationStatus;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which events are taken, and in which order. */
abstract class ClaimContract extends PierContract {
  @Test
  void whoComesFirstIsServedFirst() {
    String node = blockedNode();
    Agent _ = pier.agent(node);
    pier.event("a-" + node, Pier.DRAIN, node);
    awaitBlocked("a-" + node);

    pier.event("b-" + node, Pier.DRAIN, node);
    eventually()
        .until(() -> pier.message("b-" + node).equals("waits for LifecycleEvent a-" + node));
    assertThat(pier.claim("b-" + node)).isEqualTo("Pending");

    openBudget();
    pier.awaitGone("a-" + node);
    pier.awaitGone("b-" + node);
    assertThat(pier.history(node).entries())
        .extracting(History.Entry::event)
        .containsExactly("a-" + node, "b-" + node);
    assertThat(pier.history(node).entries())
        .extracting(History.Entry::outcome)
        .containsOnly("Succeeded");
  }

  @Test
  void aTransitionForOtherNodesIsRejectedForItsAuthorToRead() {
    String node = pier.node();
    pier.transition("other-" + node, "nodeName: " + node + "-other");
    Agent _ = pier.agent(node);

    pier.event("wrong-" + node, "other-" + node, node);
    eventually().until(() -> pier.claim("wrong-" + node).equals("Failed"));

    String why = "LifecycleTransition other-%s is not for node %s".formatted(node, node);
    assertThat(pier.message("wrong-" + node)).isEqualTo(why);
    eventually()
        .until(
            () ->
                pier.told(node)
                    .contains("LifecycleEventRejected: wrong-%s: %s".formatted(node, why)));
    pier.event("right-" + node, Pier.DRAIN, node);
    pier.awaitGone("right-" + node);
    assertThat(pier.claim("wrong-" + node)).isEqualTo("Failed");
    assertThat(pier.find("wrong-" + node).orElseThrow().getMetadata().getFinalizers()).isEmpty();

    var _ = pier.kubectl("delete", "lifecycleevents.lifecycle.k8s.io", "wrong-" + node).output();
    pier.awaitGone("wrong-" + node);
  }

  @Test
  void aTransitionMayCoverNodesByLabel() {
    String node = pier.node();
    pier.transition(
        "labelled-" + node,
        """
        nodeSelector: {nodeSelectorTerms: [{matchExpressions: [
          {key: rack, operator: In, values: [r7]}]}]}\
        """);
    var _ = pier.kubectl("label", "node", node, "rack=r7").output();
    Agent _ = pier.agent(node);

    pier.event("drain-" + node, "labelled-" + node, node);
    pier.awaitGone("drain-" + node);

    assertThat(pier.last(node).outcome()).isEqualTo("Succeeded");
    assertThat(pier.condition(node).orElseThrow().getMessage())
        .isEqualTo("Lifecycle Transition 'labelled-" + node + "'");
  }

  @Test
  void leavesEventsToAKubeletThatRegistersTheDriver() {
    String node = pier.node();
    Agent _ = pier.agent(node);
    Path socket =
        pier.settings(node).place().registrationFolder().resolve(Pier.DRAIN + "-reg.sock");
    try (RawClient kubelet = new RawClient(socket)) {
      var registration = RegistrationGrpc.newBlockingStub(kubelet.channel());
      var _ =
          registration.notifyRegistrationStatus(
              RegistrationStatus.newBuilder().setPluginRegistered(true).build());

      pier.event("drain-" + node, Pier.DRAIN, node);

      eventually()
          .during(Duration.ofSeconds(1))
          .until(() -> pier.claim("drain-" + node).equals("Pending") && !pier.isCordoned(node));
      var _ =
          registration.notifyRegistrationStatus(
              RegistrationStatus.newBuilder().setError("no handler").build());
      pier.awaitGone("drain-" + node);
      assertThat(pier.last(node).outcome()).isEqualTo("Succeeded");
    }
  }

  @Test
  void anEventWaitsForItsTransition() {
    String node = pier.node();
    Agent _ = pier.agent(node);

    pier.event("early-" + node, "coming-" + node, node);
    eventually()
        .until(
            () ->
                pier.message("early-" + node)
                    .startsWith(
                        "waits for LifecycleTransition coming-" + node + ", which does not exist"));
    assertThat(pier.claim("early-" + node)).isEqualTo("Pending");

    pier.transition("coming-" + node, "allNodes: true");
    pier.awaitGone("early-" + node);
    assertThat(pier.last(node).outcome()).isEqualTo("Succeeded");
  }

  @ParameterizedTest
  @CsvSource({
    "lifecycle.k8s.io, kssd-drain, kssd-maintenance-complete",
    "lifecycle.k8s.io, kssd-drain, kssd-maintenance-completed",
    LifecycleNames.OWN_GROUP + ", drain.slm.k8s.io, drain.slm.k8s.io-uncordon"
  })
  void otherNamesAndTheOwnGroupDoTheSame(String group, String drain, String uncordon) {
    String node = pier.node();
    pier.pod("web", node);
    Agent _ = pier.agent(node);

    pier.event(group, "drain-" + node, drain, node);
    eventually().until(() -> pier.history(node).entries().size() == 1);
    assertThat(pier.pods(node)).isEmpty();
    assertThat(pier.isCordoned(node)).isTrue();

    pier.event(group, "uncordon-" + node, uncordon, node);
    eventually().until(() -> pier.history(node).entries().size() == 2);
    assertThat(pier.isCordoned(node)).isFalse();
    assertThat(pier.history(node).entries())
        .extracting(History.Entry::outcome)
        .containsOnly("Succeeded");
    eventually()
        .until(
            () ->
                pier.kubectl("get", "lifecycleevents." + group, "-o", "name")
                    .output()
                    .lines()
                    .noneMatch(name -> name.endsWith(node)));
  }
}
