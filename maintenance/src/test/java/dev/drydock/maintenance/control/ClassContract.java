package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.ngn2.NotifyMaintenanceStatus;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ObjectName;
import dev.drydock.kube.RequestInterceptor;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a maintenance with a class promises: nobody has to do anything but create it. */
abstract class ClassContract {
  private static final String BUILTIN = "drain: {builtin: {policy: {force: true}}}";
  private static final String GOOD_JOB = job("\"sim.drydock.dev/complete-after\": 100ms", "");
  private static final String BAD_JOB = job("a: b", "activeDeadlineSeconds: 1,");

  private MaintenanceFixture fixture;

  @BeforeEach
  void open(MaintenanceFixture given) {
    fixture = given;
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static String job(String annotation, String spec) {
    return "job: {template: {spec: {%s template: {metadata: {annotations: {%s}}, spec: %s}}}}"
        .formatted(spec, annotation, "{containers: [{name: main, image: none}]}");
  }

  private String maintenanceClass(String drain, String maintenance, String validation) {
    String name = fixture.namespace + "-class";
    fixture.apply(
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
            .formatted(name, drain, maintenance.strip(), validation.strip()));
    return name;
  }

  private boolean isCordoned(String node) {
    return Boolean.TRUE.equals(fixture.find(node).orElseThrow().getSpec().getUnschedulable());
  }

  @Test
  void isDrainedMaintainedValidatedAndReturned() {
    String node = fixture.node();
    fixture.pod("web", node);
    String maintenanceClass = maintenanceClass(BUILTIN, GOOD_JOB, GOOD_JOB);
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      fixture.create("m", node, "fw-17", maintenanceClass);
      fixture.awaitGone("m");
      fixture.eventually().until(() -> !isCordoned(node));
      fixture.eventually().until(() -> fixture.events("m").contains("MaintenanceComplete"));
    }
    assertThat(fixture.events("m"))
        .contains("MaintenanceStarted", "DrainPlanned", "ObjectsDrained", "Validating")
        .contains("MaintenanceEnded", "MaintenanceComplete")
        .filteredOn(event -> event.startsWith("Job"))
        .as("one Job for the work, one for the proof")
        .containsExactlyInAnyOrder("JobStarted", "JobSucceeded", "JobStarted", "JobSucceeded");
    assertThat(fixture.pods(node)).isEmpty();
    assertThat(fixture.maintenanceLabels(node)).isEmpty();
    assertThat(fixture.find(node).orElseThrow().getMetadata().getAnnotations())
        .doesNotContainKey("drydock.dev/holds");
    assertThat(fixture.notices)
        .containsExactly(
            "m Scheduled",
            "m SLAStarted",
            "m ObjectsDrained",
            "m Validating",
            "m MaintenanceEnded",
            "m MaintenanceComplete");
  }

  /** Labels are shorter than names: 63 characters. */
  @Test
  void worksForNodesMaintenancesAndIdsWithTheLongestNames() {
    String node = fixture.nodeWithLongName();
    fixture.pod("web", node);
    String maintenanceClass = maintenanceClass(BUILTIN, GOOD_JOB, GOOD_JOB);
    String name = "m.".repeat(126) + "m";
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      fixture.create(name, node, "f".repeat(63), maintenanceClass);
      fixture.awaitGone(name);
      fixture.eventually().until(() -> !isCordoned(node));
      fixture.eventually().until(() -> fixture.events(name).contains("MaintenanceComplete"));
    }
    assertThat(fixture.events(name))
        .contains("JobSucceeded", "Validating")
        .doesNotContain("JobFailed");
    assertThat(fixture.pods(node)).isEmpty();
    assertThat(fixture.maintenanceLabels(node)).isEmpty();
  }

  @Test
  void beginsNothingWhileAPodIsOnTheNodeThatCameAfterTheDrain() {
    String node = fixture.node();
    String maintenanceClass = maintenanceClass(BUILTIN, GOOD_JOB, GOOD_JOB);
    AtomicBoolean came = new AtomicBoolean();
    RequestInterceptor atTheLastLook =
        new RequestInterceptor() {
          @Override
          public void before(ApiCall call) {
            if (came.get()
                || call.verb() != ApiCall.Verb.LIST
                || !call.path().contains(ApiCall.encode("spec.nodeName=" + node))) {
              return;
            }
            boolean drained =
                fixture
                    .maintenance("m")
                    .map(NotifyMaintenance::getStatus)
                    .filter(status -> "ObjectsDrained".equals(status.maintenanceStatus()))
                    .isPresent();
            if (drained && came.compareAndSet(false, true)) {
              fixture.pod("late", node);
            }
          }

          @Override
          public void after(ApiCall call, int code) {}
        };
    try (MaintenanceFixture.Operator _ = fixture.operator(fixture.process(atTheLastLook))) {
      fixture.create("m", node, "fw-17", maintenanceClass);
      fixture
          .eventually()
          .until(
              () ->
                  fixture
                      .maintenance("m")
                      .map(NotifyMaintenance::getStatus)
                      .map(NotifyMaintenanceStatus::waitingFor)
                      .filter(why -> why.contains("/late"))
                      .isPresent());
      assertThat(fixture.events("m")).doesNotContain("JobStarted");

      fixture.deletePod("late");
      fixture.awaitGone("m");
    }
  }

  @Test
  void keepsANodeOutThatFailsItsValidationAndSaysWhy() {
    String node = fixture.node();
    String maintenanceClass = maintenanceClass(BUILTIN, GOOD_JOB, BAD_JOB);
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      fixture.create("m", node, "fw-17", maintenanceClass);
      fixture.awaitState("m", "MaintenanceIncomplete");
      NotifyMaintenanceStatus status =
          fixture.maintenance("m").map(NotifyMaintenance::getStatus).orElseThrow();
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
      fixture.delete("m");
      fixture.eventually().until(() -> fixture.events("m").contains("MaintenanceEnded"));
      assertThat(isCordoned(node)).as("not proved fit").isTrue();
      fixture.uncordon(node);
      fixture.awaitGone("m");
    }
  }

  /** Of each step what it was, and of those without a write of their own also to what. */
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
    return fixture.namespace
        + "/"
        + fixture.kubectl(
            "get",
            "jobs",
            "-n",
            fixture.namespace,
            "-l",
            "drydock.dev/purpose=" + purpose,
            "-o",
            "jsonpath={.items[0].metadata.name}");
  }

  @Test
  void mixesWithAUsersOwnClients() {
    String node = fixture.node();
    String maintenanceClass = maintenanceClass(BUILTIN, "outside: {}", "none: {}");
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      fixture.create("m", node, "fw-17", maintenanceClass);
      fixture.awaitState("m", "ObjectsDrained");
      fixture
          .eventually()
          .until(
              () -> fixture.waitingFor("m"),
              text -> text.contains("maintenance/maintenanceClient=complete"));
      fixture.annotate("m", "maintenanceClient", "complete");
      fixture.awaitGone("m");
      fixture.eventually().until(() -> !isCordoned(node));
    }
  }

  /** With its group, because the kind is in two. */
  private static final String EVENTS = "lifecycleevents." + LifecycleNames.COMPAT_GROUP;

  private void claim(String event, String status) {
    fixture.kubectl(
        "patch",
        EVENTS,
        event,
        "--subresource=status",
        "--type=merge",
        "-p",
        "{\"status\":{\"claimStatus\":\"%s\",\"driver\":\"drain.slm.k8s.io\"}}".formatted(status));
  }

  @ParameterizedTest(name = "with a name of {0} characters")
  @ValueSource(ints = {1, ObjectName.LONGEST})
  void leavesTheDrainToADriverOnTheNode(int length) {
    String name = "m".repeat(length);
    fixture.kubectlWithInput(
        CrdCatalog.yaml(CrdCatalog.COMPATIBLE), "apply", "--server-side", "-f", "-");
    fixture.eventually().until(() -> fixture.kubectl("get", EVENTS) != null);
    String node = fixture.node();
    String maintenanceClass =
        maintenanceClass(
            "drain: {lifecycleEvent: {transitionName: drain.slm.k8s.io}}",
            "outside: {}",
            "none: {}");
    String event = ObjectName.of(fixture.namespace + "." + name);
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      fixture.create(name, node, "fw-17", maintenanceClass);
      fixture
          .eventually()
          .until(
              () -> fixture.waitingFor(name), text -> text.contains("to be claimed on the node"));
      assertThat(fixture.kubectl("get", EVENTS, event, "-o", "jsonpath={.spec}"))
          .contains("\"bindingNode\":\"" + node + "\"", "\"transitionName\":\"drain.slm.k8s.io\"");
      claim(event, "Claimed");
      fixture
          .eventually()
          .until(() -> fixture.waitingFor(name), text -> text.contains("driver drain.slm.k8s.io"));
      claim(event, "Succeeded");
      fixture.kubectl("delete", EVENTS, event, "--wait=false");
      fixture.awaitState(name, "ObjectsDrained");
      fixture.annotate(name, "maintenanceClient", "complete");
      fixture.awaitGone(name);
      fixture
          .eventually()
          .until(() -> fixture.kubectl("get", EVENTS, "-o", "name"), left -> !left.contains(event));
    }
  }

  @Test
  void leavesTheDrainToAnotherController() {
    String node = fixture.node();
    String maintenanceClass =
        maintenanceClass("drain: {drainRequest: {drainer: slurm}}", "outside: {}", "outside: {}");
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      fixture.create("m", node, "fw-17", maintenanceClass);
      fixture
          .eventually()
          .until(
              () -> fixture.waitingFor("m"), text -> text.contains("DrainRequest m to be served"));
      fixture.kubectl(
          "patch",
          "drainrequest",
          "m",
          "-n",
          fixture.namespace,
          "--subresource=status",
          "--type=merge",
          "-p",
          """
          {"status":{"conditions":[{"type":"DrainComplete","status":"True","reason":"Done",
          "message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}}""");
      fixture.awaitState("m", "ObjectsDrained");
      fixture.delete("m");
      fixture.awaitGone("m");
      fixture.eventually().until(() -> !isCordoned(node));
    }
  }

  @Test
  void givesTheNodeBackWhenDeletedBeforeTheWork() {
    String node = fixture.node();
    fixture.pod("web", node);
    // Refuses to delete what nothing brings back, so the drain waits.
    String maintenanceClass = maintenanceClass("drain: {builtin: {}}", GOOD_JOB, GOOD_JOB);
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      fixture.create("m", node, "fw-17", maintenanceClass);
      fixture
          .eventually()
          .until(() -> fixture.waitingFor("m"), text -> text.contains("use --force"));
      assertThat(fixture.maintenance("m").map(NotifyMaintenance::getStatus).orElseThrow().history())
          .filteredOn(step -> step.what().equals("DrainPlanned"))
          .singleElement()
          .satisfies(
              plan ->
                  assertThat(plan.message())
                      .startsWith("1 pod must leave node " + node + ", ETA ")
                      .contains("; blocked by: ", "declare no controller"));
      fixture.delete("m");
      fixture.awaitGone("m");
      fixture.eventually().until(() -> !isCordoned(node));
    }
    assertThat(fixture.pods(node)).hasSize(1);
    assertThat(fixture.notices)
        .contains("m MaintenanceCancelled", "m MaintenanceComplete cancelled");
  }

  @Test
  void hasTheDeadlineOfItsClass() {
    String node = fixture.node();
    String maintenanceClass =
        maintenanceClass("slaPeriod: 1h30m\n  drain: {outside: {}}", "outside: {}", "outside: {}");
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      fixture.create("m", node, "fw-17", maintenanceClass);
      fixture.awaitState("m", "MaintenanceStarted");
      NotifyMaintenanceStatus status =
          fixture.maintenance("m").map(NotifyMaintenance::getStatus).orElseThrow();
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
    String node = fixture.node();
    try (MaintenanceFixture.Operator _ = fixture.operator()) {
      fixture.create("m", node, "fw-17", "not-yet");
      fixture
          .eventually()
          .until(
              () -> fixture.waitingFor("m"),
              "MaintenanceClass not-yet, which does not exist"::equals);
      assertThat(isCordoned(node)).isFalse();
      fixture.delete("m");
      fixture.awaitGone("m");
    }
    assertThat(List.copyOf(fixture.maintenanceLabels(node))).isEmpty();
  }
}
