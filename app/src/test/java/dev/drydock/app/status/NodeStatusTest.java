package dev.drydock.app.status;

import static dev.drydock.app.status.StatusFixture.READY;
import static dev.drydock.app.status.StatusFixture.condition;
import static dev.drydock.app.status.StatusFixture.cordoned;
import static dev.drydock.app.status.StatusFixture.drain;
import static dev.drydock.app.status.StatusFixture.hold;
import static dev.drydock.app.status.StatusFixture.maintenance;
import static dev.drydock.app.status.StatusFixture.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.serve.feature.StatusEntry;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeStatusTest {
  private static NodeStatus of(NodeSnapshot node) {
    return NodeStatus.of(node, List.of());
  }

  @Test
  void aReadyNodeIsInServiceAndPlain() {
    assertThat(of(node("n", READY))).isEqualTo(NodeStatus.plain("n")).matches(NodeStatus::isPlain);
  }

  @Test
  void aNodeThatIsNotReadySaysWhy() {
    NodeStatus status = of(node("n", condition("Ready", "Unknown")));

    assertThat(status.state()).isEqualTo("NotReady");
    assertThat(status.since()).isEqualTo(Instant.parse(StatusFixture.SINCE));
    assertThat(status.waitsFor()).containsExactly("because of Ready");
    assertThat(of(node("n")).waitsFor()).containsExactly("its kubelet has not reported yet");
    assertThat(of(cordoned("n", "", condition("Ready", "False"))).state())
        .isEqualTo("NotReady, cordoned");
  }

  @Test
  void whoHoldsItIsWhoHasToReleaseIt() {
    NodeStatus held = of(cordoned("n", hold("team/a", "disk"), READY));

    assertThat(held.state()).isEqualTo("held");
    assertThat(held.holds()).containsExactly("team/a");
    assertThat(held.waitsFor()).containsExactly("team/a to release it (disk)");
    assertThat(of(cordoned("n", "", READY)).state()).isEqualTo("cordoned");
  }

  @Test
  void holdsThatCannotBeReadAreAProblemOfThatNodeOnly() {
    NodeStatus status = of(cordoned("n", "nonsense", READY));

    assertThat(status.state()).isEqualTo("cordoned");
    assertThat(status.waitsFor())
        .anySatisfy(
            line -> assertThat(line).contains("is not readable", "kubectl annotate node n"));
  }

  @Test
  void aDrainAtSomebodysTerminalShowsInTheConditions() {
    assertThat(
            of(cordoned("n", hold("user/x", ""), READY, condition("DrainInProgress", "True")))
                .state())
        .isEqualTo("draining");
    assertThat(of(cordoned("n", hold("user/x", ""), READY, condition("Drained", "True"))).state())
        .isEqualTo("drained");
    assertThat(of(node("n", READY, condition("Drained", "True"))).state())
        .as("of an earlier drain")
        .isEqualTo("in service");
  }

  @Test
  void aDrainRequestSaysHowLongAndWhatIsInTheWay() {
    NodeSnapshot node = cordoned("n", hold("drainrequest/ops/d", ""), READY);
    StatusEntry blocked =
        drain(
            "n",
            "'eta':'30s to 2m','blockers':[{'message':'budget web','next':'scale up','pods':['a/1','a/2','a/3','a/4']}],'conditions':[{'type':'DrainComplete','status':'False','reason':'Blocked'}]");
    StatusEntry refused =
        drain(
            "n",
            "'conditions':[{'type':'DrainComplete','status':'False','reason':'Refused','message':'use force'}]");

    NodeStatus status = NodeStatus.of(node, List.of(blocked));

    assertThat(status.state()).isEqualTo("draining");
    assertThat(status.eta()).isEqualTo("30s to 2m");
    assertThat(status.waitsFor())
        .containsExactly("a/1, a/2, a/3 and 1 more: budget web; next: scale up");
    assertThat(NodeStatus.of(node, List.of(refused)))
        .satisfies(
            each -> assertThat(each.state()).isEqualTo("drain refused"),
            each -> assertThat(each.waitsFor()).containsExactly("use force"));
    assertThat(NodeStatus.of(node, List.of(drain("n", ""))).waitsFor())
        .containsExactly("DrainRequest ops/d to be served; is 'drydock operator' running?");
  }

  @Test
  void theMaintenanceThatIsFurthestIsTheState() {
    NodeStatus status =
        NodeStatus.of(
            cordoned("n", hold("notifymaintenance/ops/fw-n", ""), READY),
            List.of(
                maintenance("n", "os", "MaintenanceScheduled", ""),
                maintenance("n", "fw", "ObjectsDrained", "'waitingFor':'the maintenance Job',")));

    assertThat(status.state()).isEqualTo("ObjectsDrained");
    assertThat(status.maintenances()).extracting(StatusEntry.Task::id).containsExactly("fw", "os");
    assertThat(status.waitsFor()).containsExactly("the maintenance Job");
  }

  @Test
  void whatTheDrainOfAMaintenanceSaysIsSaidOnce() {
    NodeStatus status =
        NodeStatus.of(
            cordoned("n", hold("notifymaintenance/ops/fw-n", ""), READY),
            List.of(
                maintenance(
                    "n",
                    "fw",
                    "MaintenanceStarted",
                    "'slaExpires':'2026-01-01T05:00:00Z','waitingFor':'DrainRequest d: Blocked; budget web',"),
                drain("n", "'blockers':[{'message':'budget web','next':'scale up'}]")));

    assertThat(status.state()).isEqualTo("MaintenanceStarted");
    assertThat(status.deadline()).isEqualTo(Instant.parse("2026-01-01T05:00:00Z"));
    assertThat(status.waitsFor()).containsExactly("budget web; next: scale up");
  }

  @Test
  void aMaintenanceThatNobodyTookUpLeavesTheNodeInService() {
    NodeStatus status = NodeStatus.of(node("n", READY), List.of(maintenance("n", "fw", "", "")));

    assertThat(status.state()).isEqualTo("in service");
    assertThat(status.isPlain()).isFalse();
    assertThat(status.waitsFor())
        .containsExactly(
            "NotifyMaintenance ops/fw-n to be taken up; is 'drydock operator' running?");
  }
}
