package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a maintenance promises to schedulers and clients that know only labels, annotations and
 * kubectl. Whoever extends it brings the cluster, as a {@link Yard}.
 */
abstract class MaintenanceContract {
  private static final String READY = "readyForMaintenance";
  private static final String WORK = "maintenanceClient";
  private static final String TEST = "validationClient";

  private Yard yard;

  @BeforeEach
  void open(Yard given) {
    yard = given;
  }

  @AfterEach
  void close() {
    yard.close();
  }

  private void start(String name, String node, String id) {
    yard.create(name, node, id);
    yard.awaitState(name, "MaintenanceScheduled");
    yard.label(node, id);
    yard.kubectl("cordon", node);
    yard.awaitState(name, "MaintenanceStarted");
  }

  @Test
  void isDrivenFromCreationToCompletionByKubectlAlone() {
    String node = yard.node();
    try (Maintenances _ = yard.operator()) {
      start("m", node, "fw-17");
      Yard.eventually().until(() -> yard.trueConditions(node), List.of("DrainInProgress")::equals);
      yard.annotate("m", READY, "true");
      yard.awaitState("m", "ObjectsDrained");
      yard.annotate("m", WORK, "inprogress");
      Yard.eventually()
          .until(
              () -> yard.trueConditions(node), List.of("Drained", "MaintenanceInProgress")::equals);
      yard.annotate("m", WORK, "complete");
      yard.awaitState("m", "Validating");
      yard.annotate("m", TEST, "validated");
      Yard.eventually()
          .until(
              () -> yard.conditions("m"),
              Map.of(READY, "true", WORK, "complete", TEST, "validated")::equals);
      yard.delete("m");
      Yard.eventually().until(() -> yard.events("m").contains("MaintenanceEnded"));
      assertThat(yard.maintenance("m")).as("waits for the node").isPresent();
      yard.kubectl("uncordon", node);
      yard.awaitGone("m");
      Yard.eventually().until(() -> yard.trueConditions(node), List::isEmpty);
    }
    assertThat(yard.maintenanceLabels(node)).isEmpty();
    assertThat(yard.notices)
        .containsExactly(
            "m Scheduled",
            "m SLAStarted",
            "m ObjectsDrained",
            "m Validating",
            "m MaintenanceEnded",
            "m MaintenanceComplete");
    assertThat(yard.events("m"))
        .contains("MaintenanceStarted", "ObjectsDrained", "Validating", "MaintenanceComplete");
  }

  @Test
  void tellsItsStoryAndItsDeadlineInTheStatus() {
    String node = yard.node();
    try (Maintenances _ = yard.operator()) {
      start("m", node, "fw-17");
      var status = yard.maintenance("m").orElseThrow().getStatus();
      assertThat(status.slaExpires()).isNotBlank();
      assertThat(status.transitionTimestamps())
          .extracting(each -> each.maintenanceStatus())
          .containsExactly("MaintenanceScheduled", "MaintenanceStarted");
      assertThat(status.history())
          .extracting(each -> each.what())
          .containsExactly("MaintenanceScheduled", "MaintenanceStarted");
      assertThat(status.waitingFor()).contains(node, "maintenance/readyForMaintenance=true");
    }
    assertThat(yard.kubectl("get", "notifymaintenance", "m", "-n", yard.namespace))
        .contains("MAINTENANCEID", "STATUS", "NODE", "SLAEXPIRY", "READYFORMAINTENANCE")
        .contains("fw-17", "MaintenanceStarted", node);
  }

  @Test
  void expiresAtTheStoredDeadlineAlsoAfterARestart() {
    String node = yard.node();
    try (Maintenances _ = yard.operator()) {
      start("m", node, "fw-17");
    }
    String deadline = yard.maintenance("m").orElseThrow().getStatus().slaExpires();
    Clock later = Clock.offset(Clock.systemUTC(), Yard.SLA.plus(Duration.ofSeconds(2)));
    try (Maintenances _ = yard.operator(dev.drydock.kube.CallHook.NONE, later)) {
      yard.awaitState("m", "SLAExpired");
      assertThat(yard.maintenance("m").orElseThrow().getStatus().slaExpires()).isEqualTo(deadline);
      yard.annotate("m", READY, "true");
      yard.awaitState("m", "ObjectsDrained");
    }
  }

  @Test
  void endsIncompleteWhenTheTestFails() {
    String node = yard.node();
    try (Maintenances _ = yard.operator()) {
      start("m", node, "fw-17");
      yard.annotate("m", READY, "true");
      yard.awaitState("m", "ObjectsDrained");
      yard.annotate("m", WORK, "complete");
      yard.awaitState("m", "Validating");
      yard.annotate("m", TEST, "failed");
      yard.awaitState("m", "MaintenanceIncomplete");
      Yard.eventually()
          .until(
              () -> yard.trueConditions(node), List.of("Drained", "MaintenanceInProgress")::equals);
    }
  }

  @Test
  void takesWhatWasSaidBeforeTheStart() {
    String node = yard.node();
    try (Maintenances _ = yard.operator()) {
      yard.create("m", node, "fw-17");
      yard.annotate("m", READY, "true");
      yard.kubectl("cordon", node);
      yard.label(node, "fw-17");
      yard.awaitState("m", "ObjectsDrained");
    }
  }

  @Test
  void forgetsWhatWasDeletedBeforeItBegan() {
    String node = yard.node();
    try (Maintenances _ = yard.operator()) {
      yard.create("m", node, "fw-17");
      yard.awaitState("m", "MaintenanceScheduled");
      yard.label(node, "fw-17");
      yard.delete("m");
      yard.awaitGone("m");
    }
    assertThat(yard.maintenanceLabels(node)).isEmpty();
    assertThat(yard.notices).containsExactly("m Scheduled");
  }

  @Test
  void isCompletedByUncordoningWithoutDeletionAndStaysSo() {
    String node = yard.node();
    try (Maintenances _ = yard.operator()) {
      start("m", node, "fw-17");
      yard.kubectl("uncordon", node);
      yard.awaitOver("m");
      assertThat(yard.conditions("m")).containsEntry("completed", "true");
      assertThat(yard.maintenanceLabels(node)).isEmpty();
      Yard.eventually().until(() -> yard.events("m").contains("UncordonedMidway"));
    }
    Clock later = Clock.offset(Clock.systemUTC(), Yard.SLA.plus(Duration.ofSeconds(2)));
    try (Maintenances _ = yard.operator(dev.drydock.kube.CallHook.NONE, later)) {
      yard.create("next", node, "fw-18");
      yard.awaitState("next", "MaintenanceScheduled");
      assertThat(yard.state("m")).isEqualTo("MaintenanceStarted");
      yard.delete("m");
      yard.awaitGone("m");
    }
  }

  @Test
  void completesEachOfSeveralOnOneNode() {
    String node = yard.node();
    try (Maintenances _ = yard.operator()) {
      start("a", node, "fw-17");
      yard.create("b", node, "bios-3");
      yard.awaitState("b", "MaintenanceScheduled");
      yard.label(node, "bios-3");
      yard.awaitState("b", "MaintenanceStarted");
      assertThat(yard.maintenance("b").orElseThrow().getStatus().slaExpires())
          .as("the clock is the node's")
          .isEqualTo(yard.maintenance("a").orElseThrow().getStatus().slaExpires());
      yard.delete("a");
      yard.delete("b");
      yard.kubectl("uncordon", node);
      yard.awaitGone("a");
      yard.awaitGone("b");
    }
    assertThat(yard.maintenanceLabels(node)).isEmpty();
    assertThat(yard.notices)
        .contains(
            "a MaintenanceCancelled",
            "b MaintenanceCancelled",
            "a MaintenanceComplete cancelled",
            "b MaintenanceComplete cancelled");
  }

  @Test
  void saysWhenSomebodyRemovedTheLabelAndGoesOnWhenDeleted() {
    String node = yard.node();
    try (Maintenances _ = yard.operator()) {
      start("m", node, "fw-17");
      yard.kubectl("label", "node", node, "maintenance/fw-17-");
      Yard.eventually()
          .until(() -> yard.conditions("m").getOrDefault("nodeLabelled", ""), "false"::equals);
      Yard.eventually().until(() -> yard.events("m").contains("LabelRemoved"));
      yard.delete("m");
      yard.kubectl("uncordon", node);
      yard.awaitGone("m");
    }
  }

  @Test
  void removesOnlyOwnLabelsOfTheNode() {
    String node = yard.node();
    yard.kubectl("label", "node", node, "rack=r1", "cordonedBy=me");
    try (Maintenances _ = yard.operator()) {
      start("m", node, "fw-17");
      yard.delete("m");
      yard.kubectl("uncordon", node);
      yard.awaitGone("m");
    }
    assertThat(yard.maintenanceLabels(node)).isEmpty();
    assertThat(yard.find(node).orElseThrow().getMetadata().getLabels()).containsEntry("rack", "r1");
  }

  @Test
  void isFinishedAfterItsNodeWasDeletedInAnyState() {
    List<String> said = List.of("", READY + "=true", WORK + "=complete", TEST + "=failed");
    List<String> states =
        List.of("MaintenanceStarted", "ObjectsDrained", "Validating", "MaintenanceIncomplete");
    try (Maintenances _ = yard.operator()) {
      for (int last = 0; last < states.size(); last++) {
        String node = yard.node();
        String name = "m" + last;
        start(name, node, "fw-17");
        for (int i = 1; i <= last; i++) {
          String[] word = said.get(i).split("=", -1);
          yard.annotate(name, word[0], word[1]);
          yard.awaitState(name, states.get(i));
        }
        yard.kubectl("delete", "node", node);
        Yard.eventually()
            .until(() -> yard.conditions(name).getOrDefault("nodeFound", ""), "false"::equals);
        yard.delete(name);
        yard.awaitGone(name);
      }
    }
    assertThat(yard.notices)
        .contains("m0 MaintenanceCancelled", "m0 MaintenanceComplete cancelled")
        .contains("m3 MaintenanceEnded", "m3 MaintenanceComplete");
  }

  @Test
  void namesAnAnnotationThatMustNotBe() {
    String node = yard.node();
    try (Maintenances _ = yard.operator()) {
      start("m", node, "fw-17");
      yard.annotate("m", READY, "true");
      yard.awaitState("m", "ObjectsDrained");
      yard.annotate("m", WORK, "done");
      Yard.eventually().until(() -> yard.events("m").contains("IllegalValue"));
      assertThat(yard.state("m")).isEqualTo("ObjectsDrained");
      yard.annotate("m", WORK, "complete");
      yard.awaitState("m", "Validating");
      assertThat(yard.conditions("m")).containsEntry("annotationRefused", "false");
    }
  }

  @Test
  void refusesChangesOfWhatIsFixed() {
    String node = yard.node();
    yard.create("m", node, "fw-17");
    for (String change :
        List.of(
            "{\"spec\":{\"nodeObject\":\"other\"}}",
            "{\"spec\":{\"maintenanceID\":\"other\"}}",
            "{\"spec\":{\"maintenanceType\":\"sometimes\"}}",
            "{\"spec\":{\"maintenanceClass\":\"gpu\"}}")) {
      var answer =
          yard.tryKubectl(
              "",
              "patch",
              "notifymaintenance",
              "m",
              "-n",
              yard.namespace,
              "--type=merge",
              "-p",
              change);
      assertThat(answer.exitCode()).as(change).isNotZero();
      assertThat(answer.standardError()).contains("spec." + change.split("\"", -1)[3]);
    }
  }
}
