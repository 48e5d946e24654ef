package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.Crds;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.ngn2.NotifyMaintenanceStatus;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a maintenance with a class promises: nobody has to do anything but create it. */
abstract class ClassContract {
  private static final String BUILTIN = "drain: {builtin: {policy: {force: true}}}";
  private static final String GOOD_JOB = job("\"sim.drydock.dev/complete-after\": 100ms", "");
  private static final String BAD_JOB = job("a: b", "activeDeadlineSeconds: 1,");

  private Yard yard;

  @BeforeEach
  void open(Yard given) {
    yard = given;
  }

  @AfterEach
  void close() {
    yard.close();
  }

  private static String job(String annotation, String spec) {
    return "job: {template: {spec: {%s template: {metadata: {annotations: {%s}}, spec: %s}}}}"
        .formatted(spec, annotation, "{containers: [{name: main, image: none}]}");
  }

  private String clazz(String drain, String maintenance, String validation) {
    String name = yard.namespace + "-class";
    yard.kubectlWithInput(
        """
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceClass
        metadata: {name: %s}
        spec:
          %s
          maintenance:
            %s
          validation:
            %s
        """
            .formatted(name, drain, maintenance.strip(), validation.strip()),
        "apply",
        "-f",
        "-");
    return name;
  }

  private boolean isCordoned(String node) {
    return Boolean.TRUE.equals(yard.find(node).orElseThrow().getSpec().getUnschedulable());
  }

  @Test
  void isDrainedMaintainedValidatedAndReturned() {
    String node = yard.node();
    yard.pod("web", node);
    String clazz = clazz(BUILTIN, GOOD_JOB, GOOD_JOB);
    try (Maintenances _ = yard.operator()) {
      yard.create("m", node, "fw-17", clazz);
      yard.awaitGone("m");
      Yard.eventually().until(() -> !isCordoned(node));
      Yard.eventually().until(() -> yard.events("m").contains("MaintenanceComplete"));
    }
    assertThat(yard.events("m"))
        .contains("MaintenanceStarted", "DrainPlanned", "ObjectsDrained", "Validating")
        .contains("MaintenanceEnded", "MaintenanceComplete")
        .filteredOn(event -> event.startsWith("Job"))
        .as("one Job for the work, one for the proof")
        .containsExactlyInAnyOrder("JobStarted", "JobSucceeded", "JobStarted", "JobSucceeded");
    assertThat(yard.pods(node)).isEmpty();
    assertThat(yard.maintenanceLabels(node)).isEmpty();
    assertThat(yard.find(node).orElseThrow().getMetadata().getAnnotations())
        .doesNotContainKey("drydock.dev/holds");
    assertThat(yard.notices)
        .containsExactly(
            "m Scheduled",
            "m SLAStarted",
            "m ObjectsDrained",
            "m Validating",
            "m MaintenanceEnded",
            "m MaintenanceComplete");
  }

  @Test
  void keepsANodeOutThatFailsItsValidationAndSaysWhy() {
    String node = yard.node();
    String clazz = clazz(BUILTIN, GOOD_JOB, BAD_JOB);
    try (Maintenances _ = yard.operator()) {
      yard.create("m", node, "fw-17", clazz);
      yard.awaitState("m", "MaintenanceIncomplete");
      NotifyMaintenanceStatus status =
          yard.maintenance("m").map(NotifyMaintenance::getStatus).orElseThrow();
      assertThat(Objects.requireNonNull(status.history()))
          .extracting(NotifyMaintenanceStatus.Step::message)
          .anySatisfy(message -> assertThat(message).contains("Exceeded"));
      assertThat(steps(status))
          .containsSubsequence(
              "MaintenanceScheduled",
              "MaintenanceStarted",
              "DrainPlanned no pod had to leave node " + node,
              "ObjectsDrained",
              "JobStarted maintenance Job " + job("work"),
              "JobSucceeded maintenance Job " + job("work"),
              "Validating",
              "JobStarted validation Job " + job("proof"),
              "JobFailed validation Job " + job("proof"),
              "MaintenanceIncomplete");
      assertThat(status.lastLogLines()).isNotEmpty();
      assertThat(isCordoned(node)).isTrue();
      yard.delete("m");
      Yard.eventually().until(() -> yard.events("m").contains("MaintenanceEnded"));
      assertThat(isCordoned(node)).as("not proved fit").isTrue();
      yard.kubectl("uncordon", node);
      yard.awaitGone("m");
    }
  }

  /** Of each step what it was, and of the deeds also to what. */
  private static List<String> steps(NotifyMaintenanceStatus status) {
    return Objects.requireNonNull(status.history()).stream()
        .map(
            step ->
                step.what().startsWith("Job") || step.what().equals("DrainPlanned")
                    ? step.what() + " " + String.valueOf(step.message()).split("[,:]", 2)[0]
                    : step.what())
        .toList();
  }

  private String job(String purpose) {
    return yard.namespace
        + "/"
        + yard.kubectl(
            "get",
            "jobs",
            "-n",
            yard.namespace,
            "-l",
            "drydock.dev/purpose=" + purpose,
            "-o",
            "jsonpath={.items[0].metadata.name}");
  }

  @Test
  void mixesWithAUsersOwnClients() {
    String node = yard.node();
    String clazz = clazz(BUILTIN, "outside: {}", "none: {}");
    try (Maintenances _ = yard.operator()) {
      yard.create("m", node, "fw-17", clazz);
      yard.awaitState("m", "ObjectsDrained");
      Yard.eventually()
          .until(
              () -> yard.waitingFor("m"),
              text -> text.contains("maintenance/maintenanceClient=complete"));
      yard.annotate("m", "maintenanceClient", "complete");
      yard.awaitGone("m");
      Yard.eventually().until(() -> !isCordoned(node));
    }
  }

  /** With its group, because the kind is in two. */
  private static final String EVENTS = "lifecycleevents." + LifecycleNames.COMPAT_GROUP;

  private void claim(String event, String status) {
    yard.kubectl(
        "patch",
        EVENTS,
        event,
        "--subresource=status",
        "--type=merge",
        "-p",
        "{\"status\":{\"claimStatus\":\"%s\",\"driver\":\"drain.slm.k8s.io\"}}".formatted(status));
  }

  @Test
  void leavesTheDrainToADriverOnTheNode() {
    yard.kubectlWithInput(Crds.yaml(Crds.COMPATIBLE), "apply", "--server-side", "-f", "-");
    Yard.eventually().ignoreExceptions().until(() -> yard.kubectl("get", EVENTS) != null);
    String node = yard.node();
    String clazz =
        clazz(
            "drain: {lifecycleEvent: {transitionName: drain.slm.k8s.io}}",
            "outside: {}",
            "none: {}");
    String event = yard.namespace + ".m";
    try (Maintenances _ = yard.operator()) {
      yard.create("m", node, "fw-17", clazz);
      Yard.eventually()
          .until(() -> yard.waitingFor("m"), text -> text.contains("to be claimed on the node"));
      assertThat(yard.kubectl("get", EVENTS, event, "-o", "jsonpath={.spec}"))
          .contains("\"bindingNode\":\"" + node + "\"", "\"transitionName\":\"drain.slm.k8s.io\"");
      claim(event, "Claimed");
      Yard.eventually()
          .until(() -> yard.waitingFor("m"), text -> text.contains("driver drain.slm.k8s.io"));
      claim(event, "Succeeded");
      yard.kubectl("delete", EVENTS, event, "--wait=false");
      yard.awaitState("m", "ObjectsDrained");
      yard.annotate("m", "maintenanceClient", "complete");
      yard.awaitGone("m");
      Yard.eventually()
          .until(() -> yard.kubectl("get", EVENTS, "-o", "name"), left -> !left.contains(event));
    }
  }

  @Test
  void leavesTheDrainToAnotherController() {
    String node = yard.node();
    String clazz = clazz("drain: {drainRequest: {drainer: slurm}}", "outside: {}", "outside: {}");
    try (Maintenances _ = yard.operator()) {
      yard.create("m", node, "fw-17", clazz);
      Yard.eventually()
          .until(() -> yard.waitingFor("m"), text -> text.contains("DrainRequest m to be served"));
      yard.kubectl(
          "patch",
          "drainrequest",
          "m",
          "-n",
          yard.namespace,
          "--subresource=status",
          "--type=merge",
          "-p",
          """
          {"status":{"conditions":[{"type":"DrainComplete","status":"True","reason":"Done",
          "message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}""");
      yard.awaitState("m", "ObjectsDrained");
      yard.delete("m");
      yard.awaitGone("m");
      Yard.eventually().until(() -> !isCordoned(node));
    }
  }

  @Test
  void givesTheNodeBackWhenDeletedBeforeTheWork() {
    String node = yard.node();
    yard.pod("web", node);
    // Refuses to delete what nothing brings back, so the drain waits.
    String clazz = clazz("drain: {builtin: {}}", GOOD_JOB, GOOD_JOB);
    try (Maintenances _ = yard.operator()) {
      yard.create("m", node, "fw-17", clazz);
      Yard.eventually().until(() -> yard.waitingFor("m"), text -> text.contains("use --force"));
      assertThat(yard.maintenance("m").map(NotifyMaintenance::getStatus).orElseThrow().history())
          .filteredOn(step -> step.what().equals("DrainPlanned"))
          .singleElement()
          .satisfies(
              plan ->
                  assertThat(plan.message())
                      .startsWith("1 pod must leave node " + node + ", ETA ")
                      .contains("; in the way: ", "declare no controller"));
      yard.delete("m");
      yard.awaitGone("m");
      Yard.eventually().until(() -> !isCordoned(node));
    }
    assertThat(yard.pods(node)).hasSize(1);
    assertThat(yard.notices).contains("m MaintenanceCancelled", "m MaintenanceComplete cancelled");
  }

  @Test
  void hasTheDeadlineOfItsClass() {
    String node = yard.node();
    String clazz = clazz("slaPeriod: 1h30m\n  drain: {outside: {}}", "outside: {}", "outside: {}");
    try (Maintenances _ = yard.operator()) {
      yard.create("m", node, "fw-17", clazz);
      yard.awaitState("m", "MaintenanceStarted");
      NotifyMaintenanceStatus status =
          yard.maintenance("m").map(NotifyMaintenance::getStatus).orElseThrow();
      Instant started =
          Instant.parse(
              Objects.requireNonNull(
                  Objects.requireNonNull(status.transitionTimestamps())
                      .getLast()
                      .transitionTimestamp()));
      assertThat(Instant.parse(Objects.requireNonNull(status.slaExpires())))
          .isBetween(started.plusSeconds(5_390), started.plusSeconds(5_410));
    }
  }

  @Test
  void waitsForItsClass() {
    String node = yard.node();
    try (Maintenances _ = yard.operator()) {
      yard.create("m", node, "fw-17", "not-yet");
      Yard.eventually()
          .until(
              () -> yard.waitingFor("m"), "MaintenanceClass not-yet, which does not exist"::equals);
      assertThat(isCordoned(node)).isFalse();
      yard.delete("m");
      yard.awaitGone("m");
    }
    assertThat(List.copyOf(yard.maintenanceLabels(node))).isEmpty();
  }
}
