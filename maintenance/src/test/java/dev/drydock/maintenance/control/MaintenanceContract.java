package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a maintenance promises to schedulers and clients that know only labels, annotations and
 * kubectl. Whoever extends it brings the cluster, as a {@link MaintenanceFixture}.
 */
abstract class MaintenanceContract {
  private static final String READY = "readyForMaintenance";
  private static final String WORK = "maintenanceClient";
  private static final String TEST = "validationClient";

  private MaintenanceFixture fixture;

  @BeforeEach
  void open(MaintenanceFixture given) {
    fixture = given;
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void start(String name, String node, String id) {
    fixture.create(name, node, id);
    fixture.awaitState(name, "MaintenanceScheduled");
    fixture.label(node, id);
    fixture.cordon(node);
    fixture.awaitState(name, "MaintenanceStarted");
  }

  @Test
  void isDrivenFromCreationToCompletionByKubectlAlone() {
    fixture.useKubectl();
    String node = fixture.node();
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      start("m", node, "fw-17");
      fixture
          .eventually()
          .until(() -> fixture.trueConditions(node), List.of("DrainInProgress")::equals);
      fixture.annotate("m", READY, "true");
      fixture.awaitState("m", "ObjectsDrained");
      fixture.annotate("m", WORK, "inprogress");
      fixture
          .eventually()
          .until(
              () -> fixture.trueConditions(node),
              List.of("Drained", "MaintenanceInProgress")::equals);
      fixture.annotate("m", WORK, "complete");
      fixture.awaitState("m", "Validating");
      fixture.annotate("m", TEST, "validated");
      fixture
          .eventually()
          .until(
              () -> fixture.conditions("m"),
              Map.of(READY, "true", WORK, "complete", TEST, "validated")::equals);
      fixture.delete("m");
      fixture.eventually().until(() -> fixture.events("m").contains("MaintenanceEnded"));
      assertThat(fixture.maintenance("m")).as("waits for the node").isPresent();
      fixture.uncordon(node);
      fixture.awaitGone("m");
      fixture.eventually().until(() -> fixture.trueConditions(node), List::isEmpty);
    }
    assertThat(fixture.maintenanceLabels(node)).isEmpty();
    assertThat(fixture.notices)
        .containsExactly(
            "m Scheduled",
            "m SLAStarted",
            "m ObjectsDrained",
            "m Validating",
            "m MaintenanceEnded",
            "m MaintenanceComplete");
    assertThat(fixture.events("m"))
        .contains("MaintenanceStarted", "ObjectsDrained", "Validating", "MaintenanceComplete");
  }

  @Test
  void tellsItsStoryAndItsDeadlineInTheStatus() {
    String node = fixture.node();
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      start("m", node, "fw-17");
      var status = fixture.maintenance("m").orElseThrow().getStatus();
      assertThat(status.slaExpires()).isNotBlank();
      assertThat(status.transitionTimestamps())
          .extracting(each -> each.maintenanceStatus())
          .containsExactly("MaintenanceScheduled", "MaintenanceStarted");
      assertThat(status.history())
          .extracting(each -> each.what())
          .containsExactly("MaintenanceScheduled", "MaintenanceStarted");
      assertThat(status.waitingFor()).contains(node, "maintenance/readyForMaintenance=true");
    }
    assertThat(fixture.kubectl("get", "notifymaintenance", "m", "-n", fixture.namespace))
        .contains("MAINTENANCEID", "STATUS", "NODE", "SLAEXPIRY", "READYFORMAINTENANCE")
        .contains("fw-17", "MaintenanceStarted", node);
  }

  @Test
  void expiresAtTheStoredDeadlineAlsoAfterARestart() {
    String node = fixture.node();
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      start("m", node, "fw-17");
    }
    String deadline = fixture.maintenance("m").orElseThrow().getStatus().slaExpires();
    TestProcess later =
        fixture.process(
            RequestInterceptor.NONE, MaintenanceFixture.SLA.plus(Duration.ofSeconds(2)));
    try (MaintenanceFixture.Operator _ = fixture.operator(later)) {
      fixture.awaitState("m", "SLAExpired");
      assertThat(fixture.maintenance("m").orElseThrow().getStatus().slaExpires())
          .isEqualTo(deadline);
      fixture.annotate("m", READY, "true");
      fixture.awaitState("m", "ObjectsDrained");
    }
  }

  @Test
  void endsIncompleteWhenTheTestFails() {
    String node = fixture.node();
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      start("m", node, "fw-17");
      fixture.annotate("m", READY, "true");
      fixture.awaitState("m", "ObjectsDrained");
      fixture.annotate("m", WORK, "complete");
      fixture.awaitState("m", "Validating");
      fixture.annotate("m", TEST, "failed");
      fixture.awaitState("m", "MaintenanceIncomplete");
      fixture
          .eventually()
          .until(
              () -> fixture.trueConditions(node),
              List.of("Drained", "MaintenanceInProgress")::equals);
    }
  }

  @Test
  void takesWhatWasSaidBeforeTheStart() {
    String node = fixture.node();
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      fixture.create("m", node, "fw-17");
      fixture.annotate("m", READY, "true");
      fixture.cordon(node);
      fixture.label(node, "fw-17");
      fixture.awaitState("m", "ObjectsDrained");
    }
  }

  @Test
  void forgetsWhatWasDeletedBeforeItBegan() {
    String node = fixture.node();
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      fixture.create("m", node, "fw-17");
      fixture.awaitState("m", "MaintenanceScheduled");
      fixture.label(node, "fw-17");
      fixture.delete("m");
      fixture.awaitGone("m");
    }
    assertThat(fixture.maintenanceLabels(node)).isEmpty();
    assertThat(fixture.notices).containsExactly("m Scheduled");
  }

  @Test
  void saysThatItsStateIsUnknownAndGoesWhenDeleted() {
    String node = fixture.node();
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      start("m", node, "fw-17");
      var _ =
          fixture
              .client()
              .resources(NotifyMaintenance.class)
              .inNamespace(fixture.namespace)
              .withName("m")
              .subresource("status")
              .patch(
                  PatchContext.of(PatchType.JSON_MERGE),
                  "{\"status\":{\"maintenanceStatus\":\"Paused\"}}");
      fixture
          .eventually()
          .until(
              () -> fixture.waitingFor("m"),
              "someone to delete this object: its state is unknown"::equals);
      fixture.delete("m");
      fixture.uncordon(node);
      fixture.awaitGone("m");
    }
    assertThat(fixture.maintenanceLabels(node)).isEmpty();
  }

  @Test
  void isCompletedByUncordoningWithoutDeletionAndStaysSo() {
    String node = fixture.node();
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      start("m", node, "fw-17");
      fixture.uncordon(node);
      fixture.awaitOver("m");
      assertThat(fixture.conditions("m")).containsEntry("completed", "true");
      assertThat(fixture.maintenanceLabels(node)).isEmpty();
      fixture.eventually().until(() -> fixture.events("m").contains("UncordonedMidway"));
    }
    TestProcess later =
        fixture.process(
            RequestInterceptor.NONE, MaintenanceFixture.SLA.plus(Duration.ofSeconds(2)));
    try (MaintenanceFixture.Operator _ = fixture.operator(later)) {
      fixture.create("next", node, "fw-18");
      fixture.awaitState("next", "MaintenanceScheduled");
      assertThat(fixture.state("m")).isEqualTo("MaintenanceStarted");
      fixture.delete("m");
      fixture.awaitGone("m");
    }
  }

  @Test
  void completesEachOfSeveralOnOneNode() {
    String node = fixture.node();
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      start("a", node, "fw-17");
      fixture.create("b", node, "bios-3");
      fixture.awaitState("b", "MaintenanceScheduled");
      fixture.label(node, "bios-3");
      fixture.awaitState("b", "MaintenanceStarted");
      assertThat(fixture.maintenance("b").orElseThrow().getStatus().slaExpires())
          .as("the clock is the node's")
          .isEqualTo(fixture.maintenance("a").orElseThrow().getStatus().slaExpires());
      fixture.delete("a");
      fixture.delete("b");
      fixture.uncordon(node);
      fixture.awaitGone("a");
      fixture.awaitGone("b");
    }
    assertThat(fixture.maintenanceLabels(node)).isEmpty();
    assertThat(fixture.notices)
        .contains(
            "a MaintenanceCancelled",
            "b MaintenanceCancelled",
            "a MaintenanceComplete cancelled",
            "b MaintenanceComplete cancelled");
  }

  @Test
  void saysWhenSomebodyRemovedTheLabelAndGoesOnWhenDeleted() {
    String node = fixture.node();
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      start("m", node, "fw-17");
      fixture.kubectl("label", "node", node, "maintenance/fw-17-");
      fixture
          .eventually()
          .until(() -> fixture.conditions("m").getOrDefault("nodeLabelled", ""), "false"::equals);
      fixture.eventually().until(() -> fixture.events("m").contains("LabelRemoved"));
      fixture.delete("m");
      fixture.uncordon(node);
      fixture.awaitGone("m");
    }
  }

  @Test
  void removesOnlyOwnLabelsOfTheNode() {
    String node = fixture.node();
    fixture.kubectl("label", "node", node, "rack=r1", "cordonedBy=me");
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      start("m", node, "fw-17");
      fixture.delete("m");
      fixture.uncordon(node);
      fixture.awaitGone("m");
    }
    assertThat(fixture.maintenanceLabels(node)).isEmpty();
    assertThat(fixture.find(node).orElseThrow().getMetadata().getLabels())
        .containsEntry("rack", "r1");
  }

  @Test
  void isFinishedAfterItsNodeWasDeletedInAnyState() {
    List<String> said = List.of("", READY + "=true", WORK + "=complete", TEST + "=failed");
    List<String> states =
        List.of("MaintenanceStarted", "ObjectsDrained", "Validating", "MaintenanceIncomplete");
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      for (int last = 0; last < states.size(); last++) {
        String node = fixture.node();
        String name = "m" + last;
        start(name, node, "fw-17");
        for (int i = 1; i <= last; i++) {
          String[] word = said.get(i).split("=", -1);
          fixture.annotate(name, word[0], word[1]);
          fixture.awaitState(name, states.get(i));
        }
        fixture.kubectl("delete", "node", node);
        fixture
            .eventually()
            .until(() -> fixture.conditions(name).getOrDefault("nodeFound", ""), "false"::equals);
        fixture.delete(name);
        fixture.awaitGone(name);
      }
    }
    assertThat(fixture.notices)
        .contains("m0 MaintenanceCancelled", "m0 MaintenanceComplete cancelled")
        .contains("m3 MaintenanceEnded", "m3 MaintenanceComplete");
  }

  @Test
  void namesAnAnnotationThatMustNotBe() {
    String node = fixture.node();
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      start("m", node, "fw-17");
      fixture.annotate("m", READY, "true");
      fixture.awaitState("m", "ObjectsDrained");
      fixture.annotate("m", WORK, "done");
      fixture.eventually().until(() -> fixture.events("m").contains("IllegalValue"));
      assertThat(fixture.state("m")).isEqualTo("ObjectsDrained");
      fixture.annotate("m", WORK, "complete");
      fixture.awaitState("m", "Validating");
      fixture
          .eventually()
          .untilAsserted(
              () ->
                  assertThat(fixture.conditions("m")).containsEntry("annotationRefused", "false"));
    }
  }

  @Test
  void refusesChangesOfWhatIsFixed() {
    String node = fixture.node();
    fixture.create("m", node, "fw-17");
    for (String change :
        List.of(
            "{\"spec\":{\"nodeObject\":\"other\"}}",
            "{\"spec\":{\"maintenanceID\":\"other\"}}",
            "{\"spec\":{\"maintenanceType\":\"sometimes\"}}",
            "{\"spec\":{\"maintenanceClass\":\"gpu\"}}")) {
      var answer =
          fixture.tryKubectl(
              "",
              "patch",
              "notifymaintenance",
              "m",
              "-n",
              fixture.namespace,
              "--type=merge",
              "-p",
              change);
      assertThat(answer.exitCode()).as(change).isNotZero();
      assertThat(answer.standardError()).contains("spec." + change.split("\"", -1)[3]);
    }
  }
}
