package dev.drydock.sim.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.sim.kubelet.NodeStep.Beat;
import dev.drydock.sim.kubelet.NodeStep.BeginReboot;
import dev.drydock.sim.kubelet.NodeStep.FinishReboot;
import dev.drydock.sim.kubelet.NodeStep.Reboot;
import dev.drydock.sim.kubelet.NodeStep.Recover;
import dev.drydock.sim.kubelet.NodeStep.Silence;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NodeDecisionTest {
  private final Node node = registered("node-1");
  private Instant now = Instant.parse("2026-01-01T12:00:00.700Z");
  private @Nullable NodeView view;

  @Test
  void aRegisteredNodeJustBeats() {
    assertThat(decide()).isEqualTo(new Beat());
    assertThat(decide().state()).isEqualTo(Host.State.UP);
  }

  @Test
  void aNodeHeldForLostReportsItselfWell() {
    node.getStatus().getConditions().forEach(condition -> condition.setStatus("Unknown"));
    assertThat(decide()).isEqualTo(new Recover());

    patch(status(NodeObjects.well(view().conditions(), now)));

    assertThat(decide()).isEqualTo(new Beat());
  }

  @Test
  void aSilentNodeDoesNothingUntilItMay() {
    annotate(Knob.SILENT, "true");
    annotate(Knob.REBOOT, "1");
    assertThat(decide()).isEqualTo(new Silence());
    assertThat(decide().state()).isEqualTo(Host.State.SILENT);

    annotate(Knob.SILENT, "false");
    assertThat(decide()).isEqualTo(new BeginReboot());
  }

  @Test
  void aRebootTakesTheNodeDownForItsTimeAndGivesItANewBoot() {
    String before = view().bootId();
    annotate(Knob.REBOOT, "1");
    assertThat(decide()).isEqualTo(new BeginReboot());
    patch(NodeObjects.rebootBegun(now));
    assertThat(view().conditions()).containsEntry("Ready", "False");

    Instant up = now.plusSeconds(5);
    assertThat(decide()).isEqualTo(new Reboot(up));
    assertThat(decide().state()).isEqualTo(Host.State.REBOOTING);
    now = up;
    FinishReboot boot = (FinishReboot) decide();
    patch(NodeObjects.rebootFinished(view(), boot.bootId(), now));

    assertThat(decide()).isEqualTo(new Beat());
    assertThat(view().bootId()).isNotEqualTo(before);
    assertThat(view().isWell()).isTrue();
  }

  @Test
  void theSameRequestRebootsOnceAndANewOneAgain() {
    annotate(Knob.REBOOT, "1");
    reboot();
    assertThat(decide()).isEqualTo(new Beat());

    annotate(Knob.REBOOT, "2");
    assertThat(decide()).isEqualTo(new BeginReboot());
    reboot();
    node.getMetadata().getAnnotations().clear();
    assertThat(decide()).as("no request is no new request").isEqualTo(new Beat());
  }

  @Test
  void aRequestWithdrawnInTheMidstStillEndsInANewBoot() {
    String before = view().bootId();
    annotate(Knob.REBOOT, "1");
    patch(NodeObjects.rebootBegun(now));
    node.getMetadata().getAnnotations().clear();
    now = now.plusSeconds(60);

    assertThat(((FinishReboot) decide()).bootId()).isNotEqualTo(before);
  }

  @Test
  void aRebootKeepsItsTimeThoughTheNodeControllerGivesTheNodeUp() {
    annotate(Knob.REBOOT, "1");
    annotate(Knob.REBOOT_TAKES, "10m");
    patch(NodeObjects.rebootBegun(now));
    Instant up = now.plus(Duration.ofMinutes(10));
    view();
    now = now.plusSeconds(60);
    node.getStatus().getConditions().stream()
        .filter(condition -> NodeView.WELL.containsKey(condition.getType()))
        .forEach(
            condition -> {
              condition.setStatus("Unknown");
              condition.setLastTransitionTime(Stamps.seconds(now));
            });

    assertThat(decide()).isEqualTo(new Reboot(up));
  }

  @Test
  void aNodeRegisteredWithARequestDoesNotReboot() {
    Node born = registered("node-2", NodeTemplate.DEFAULT.with(Knob.REBOOT, "1"));

    assertThat(NodeDecision.decide(NodeView.of(born, null, now), KubeletKnobs.NONE, now))
        .isEqualTo(new Beat());
  }

  @Test
  void numberedNodesAreSpreadEvenlyOverTheZones() {
    Map<String, Long> zones =
        IntStream.rangeClosed(1, 30)
            .mapToObj(number -> registered("node-" + number))
            .collect(
                Collectors.groupingBy(
                    member -> member.getMetadata().getLabels().get("topology.kubernetes.io/zone"),
                    Collectors.counting()));

    assertThat(zones).isEqualTo(Map.of("zone-a", 10L, "zone-b", 10L, "zone-c", 10L));
  }

  @Test
  void heartbeatsOfAFleetAreSpreadOverThePeriod() {
    Duration period = Duration.ofSeconds(10);
    Map<Long, Integer> perSecond = new TreeMap<>();
    for (int number = 1; number <= 1000; number++) {
      Instant turn = SimulatedNode.nextTurn("node-" + number, period, now);
      assertThat(turn).isAfter(now).isBeforeOrEqualTo(now.plus(period));
      assertThat(SimulatedNode.nextTurn("node-" + number, period, turn))
          .isEqualTo(turn.plus(period));
      perSecond.merge(turn.getEpochSecond(), 1, Integer::sum);
    }
    assertThat(perSecond.values()).allSatisfy(count -> assertThat(count).isLessThan(150));
  }

  private void reboot() {
    patch(NodeObjects.rebootBegun(now));
    view();
    now = now.plusSeconds(60);
    patch(NodeObjects.rebootFinished(view(), ((FinishReboot) decide()).bootId(), now));
  }

  private NodeStep decide() {
    return NodeDecision.decide(view(), KubeletKnobs.NONE, now);
  }

  private NodeView view() {
    view = NodeView.of(node, view, now);
    return view;
  }

  private void annotate(Knob knob, String value) {
    Map<String, String> annotations = new HashMap<>(node.getMetadata().getAnnotations());
    annotations.put(knob.annotation(), value);
    node.getMetadata().setAnnotations(annotations);
  }

  private static Node registered(String name) {
    return registered(name, NodeTemplate.DEFAULT);
  }

  private static Node registered(String name, NodeTemplate template) {
    NodeStatus status = NodeObjects.introduction(name, template, "v1.2.3", "172.16.0.1");
    status.setConditions(NodeObjects.well(Map.of(), Instant.EPOCH));
    Node node = NodeObjects.node(name, template, status);
    node.getMetadata().setUid("uid-of-" + name);
    node.getMetadata().setResourceVersion("1");
    return node;
  }

  private static NodeStatus status(java.util.List<NodeCondition> conditions) {
    NodeStatus status = new NodeStatus();
    status.setConditions(conditions);
    return status;
  }

  /** The status after a strategic merge patch. */
  private void patch(NodeStatus patch) {
    Map<String, NodeCondition> conditions = new LinkedHashMap<>();
    node.getStatus().getConditions().forEach(old -> conditions.put(old.getType(), old));
    for (NodeCondition change : patch.getConditions()) {
      NodeCondition old = conditions.get(change.getType());
      if (old != null && change.getStatus() == null) {
        old.setLastHeartbeatTime(change.getLastHeartbeatTime());
      } else {
        conditions.put(change.getType(), change);
      }
    }
    node.getStatus().setConditions(conditions.values().stream().toList());
    if (patch.getNodeInfo() != null) {
      node.getStatus().getNodeInfo().setBootID(patch.getNodeInfo().getBootID());
    }
  }
}
