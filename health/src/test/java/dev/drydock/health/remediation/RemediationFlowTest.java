package dev.drydock.health.remediation;

import static dev.drydock.health.remediation.RemediationFixture.MAINTENANCES;
import static dev.drydock.health.remediation.RemediationFixture.REBOOTS;
import static dev.drydock.health.remediation.RemediationFixture.fault;
import static dev.drydock.health.remediation.RemediationFixture.recovery;
import static dev.drydock.kube.Fields.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.contracts.janitor.RebootNode;
import dev.drydock.health.remediation.RemediationFixture.Operator;
import dev.drydock.health.resource.RenderedResource;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Delete;
import dev.drydock.kube.Json;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Resource;
import dev.drydock.testkit.ProcessOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Remediation on a simulated cluster, in virtual time. */
class RemediationFlowTest {
  private static final String SUCCEEDED = "remediation-succeeded";
  private static final String FAILED = "remediation-failed";

  @TempDir private Path folder;
  private RemediationFixture fixture;

  @BeforeEach
  void start() {
    fixture = RemediationFixture.simulated(folder);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void eventuallyLabel(String node, String label) {
    fixture.eventually().until(() -> fixture.label(node), label::equals);
  }

  @Test
  void aDrainedNodeIsRebootedOnceAndIsBackWhenItIsHealthy() {
    String node = fixture.addNode();
    try (Operator operator = fixture.operator(fixture.reboots())) {
      String id =
          fixture.send(
              fault(node).metadata(HealthNames.TRACE_ID, "0af7651916cd43dd8448eb211c80319c"));
      fixture.eventuallyStatus(id, "Quarantined");
      fixture.cluster().pass(Duration.ofMinutes(1));
      assertThat(fixture.list(REBOOTS)).as("not before it is drained").isEmpty();

      fixture.drained(id);
      ApiObject reboot = fixture.only(REBOOTS);
      assertThat(reboot.name()).isEqualTo("maintenance-%s-%s".formatted(node, id));
      assertThat(reboot.spec().path("force").asBoolean()).as("passed on").isTrue();
      assertThat(reboot.labels()).containsEntry("app.kubernetes.io/managed-by", "nvsentinel");
      assertThat(reboot.annotations())
          .containsEntry("nvsentinel.nvidia.com/ttl", "336h")
          .containsEntry(RenderedResource.TRACE_ID, "0af7651916cd43dd8448eb211c80319c");
      assertThat(reboot.isOwnedBy("Node", fixture.node(node).uid())).isTrue();
      eventuallyLabel(node, SUCCEEDED);
      fixture.eventually().until(() -> fixture.remediated(id).orElse(false));
      assertThat(fixture.store.get(id).orElseThrow().status().spanIds())
          .containsKey("fault-remediation");
      assertThat(state(node).path("restart").path("maintenanceCR").asText())
          .isEqualTo(reboot.name());

      fixture.condition(REBOOTS, reboot.name(), "SignalSent", "True");
      fixture.cluster().pass(Duration.ofMinutes(5));
      assertThat(fixture.events(node))
          .contains("RemediationStarted")
          .doesNotContain("RemediationDone");
      fixture.condition(REBOOTS, reboot.name(), "NodeReady", "True");
      fixture.eventually().until(() -> fixture.events(node).contains("RemediationDone"));
      fixture.cluster().pass(Duration.ofHours(1));
      assertThat(fixture.isCordoned(node)).as("done is not healthy").isTrue();
      assertThat(operator.count("drydock_remediations", "outcome", "recovered")).isZero();

      fixture.eventuallyStatus(fixture.send(recovery(node)), "UnQuarantined");
      fixture.eventually().until(() -> fixture.events(node).contains("RemediationRecovered"));
      assertThat(fixture.label(node)).isEmpty();
      assertThat(fixture.isCordoned(node)).isFalse();
      assertThat(fixture.node(node).annotations()).doesNotContainKey("latestFaultRemediationState");
      assertThat(outcome(node, 0)).isEqualTo("RECOVERED");
      assertThat(operator.count("drydock_remediations", "outcome", "recovered")).isEqualTo(1);
      assertThat(operator.count("fault_remediation_events_processed", "cr_status", "created"))
          .isEqualTo(1);
      assertThat(fixture.list(REBOOTS)).hasSize(1);
    }
  }

  private JsonNode state(String node) {
    try {
      return Json.read(
              fixture.node(node).annotations().getOrDefault("latestFaultRemediationState", "{}"))
          .path("equivalenceGroups");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private String outcome(String node, int attempt) {
    return text(fixture.journal(node).path("attempts").path(attempt).path("outcome"), "result");
  }

  @Test
  void aFloodIsOneReboot() {
    String node = fixture.addNode();
    try (Operator _ = fixture.operator(fixture.reboots())) {
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        ids.add(fixture.send(fault(node)));
      }
      ids.forEach(
          id ->
              fixture
                  .eventually()
                  .until(
                      () ->
                          fixture
                              .store
                              .get(id)
                              .orElseThrow()
                              .status()
                              .nodeQuarantined()
                              .endsWith("uarantined")));
      ids.forEach(fixture::drained);
      ids.forEach(id -> fixture.eventually().until(() -> fixture.remediated(id).orElse(false)));
      assertThat(fixture.list(REBOOTS)).hasSize(1);
    }
  }

  @Test
  void aRebootThatNobodyServesIsReportedAndNeverDone() {
    String node = fixture.addNode();
    try (Operator operator = fixture.operator(fixture.reboots())) {
      fixture.quarantinedAndDrained(fault(node));
      String name = fixture.only(REBOOTS).name();
      fixture.eventually().until(() -> fixture.events(node).contains("RemediationUnserved"));
      fixture
          .eventually()
          .until(
              () ->
                  fixture
                      .only(REBOOTS)
                      .conditions()
                      .says(
                          new Conditions.Condition(
                              "Served",
                              "False",
                              "WaitingForController",
                              "no controller of RebootNode has taken notice of it; install one")));
      fixture.cluster().pass(Duration.ofDays(1));
      operator.remediations().refreshMetrics();
      assertThat(
              operator
                  .meters()
                  .get("drydock_remediation_resources_open")
                  .tag("served", "false")
                  .gauge()
                  .value())
          .isEqualTo(1);
      assertThat(fixture.events(node)).doesNotContain("RemediationDone");

      fixture.condition(REBOOTS, name, "SignalSent", "Unknown");
      fixture.eventually().until(() -> fixture.only(REBOOTS).conditions().get("Served").isEmpty());
    }
  }

  @Test
  void aFailedRebootIsTriedAgainUntilTheLimit() {
    String node = fixture.addNode();
    try (Operator operator = fixture.operator(fixture.reboots())) {
      String id = fixture.quarantinedAndDrained(fault(node));
      for (int number = 1; number <= 3; number++) {
        String name = "maintenance-%s-%s%s".formatted(node, id, number == 1 ? "" : "-" + number);
        fixture
            .eventually()
            .until(() -> fixture.list(REBOOTS).stream().anyMatch(each -> each.name().equals(name)));
        fixture.condition(REBOOTS, name, "NodeReady", "False");
        eventuallyLabel(node, FAILED);
        fixture.eventually().until(() -> fixture.remediated(id).equals(Optional.of(false)));
      }
      fixture.cluster().pass(Duration.ofDays(1));
      assertThat(fixture.list(REBOOTS)).hasSize(3);
      assertThat(fixture.events(node)).contains("RemediationFailed", "RemediationRefused");
      assertThat(operator.count("drydock_remediations", "outcome", "failed")).isEqualTo(3);
      assertThat(state(node)).isEmpty();
    }
  }

  @Test
  void anActionWithoutAResourceFailsAndIsForgottenWithItsFault() {
    String node = fixture.addNode();
    try (Operator operator = fixture.operator(fixture.reboots())) {
      fixture.quarantinedAndDrained(fault(node));
      eventuallyLabel(node, SUCCEEDED);
      String id =
          fixture.quarantinedAndDrained(
              fault(node).checkName("Disk").recommendedAction(RecommendedAction.CONTACT_SUPPORT));
      eventuallyLabel(node, FAILED);
      fixture.eventually().until(() -> fixture.remediated(id).equals(Optional.of(false)));
      assertThat(
              operator.count("fault_remediation_unsupported_actions", "action", "CONTACT_SUPPORT"))
          .isEqualTo(1);

      fixture.eventuallyStatus(
          fixture.send(recovery(node).checkName("Disk")), "AlreadyQuarantined");
      eventuallyLabel(node, SUCCEEDED);
    }
  }

  @Test
  void staleDocumentsNeverRebootAHealthyNode() {
    String node = fixture.addNode();
    String id;
    try (Operator first = fixture.operator(fixture.reboots())) {
      id = fixture.send(fault(node));
      fixture.eventuallyStatus(id, "Quarantined");
      fixture.eventuallyStatus(fixture.send(recovery(node)), "UnQuarantined");
      first.process().kill();
    }
    fixture.drained(id); // late, and never cancelled
    try (Operator _ = fixture.operator(fixture.reboots())) {
      fixture.cluster().pass(Duration.ofMinutes(10));
      assertThat(fixture.list(REBOOTS)).isEmpty();

      String next =
          fixture.send(fault(node).checkName("Other").recommendedAction(RecommendedAction.NONE));
      fixture.eventuallyStatus(next, "Quarantined");
      fixture.drained(next);
      fixture.cluster().pass(Duration.ofMinutes(10));
      assertThat(fixture.list(REBOOTS)).as("it belongs to another quarantine").isEmpty();
    }
  }

  @Test
  void aPersonWhoUncordonsCancels() {
    String node = fixture.addNode();
    try (Operator _ = fixture.operator(fixture.reboots())) {
      String id = fixture.quarantinedAndDrained(fault(node));
      fixture.only(REBOOTS);
      eventuallyLabel(node, SUCCEEDED);

      fixture.change(
          Resource.NODES,
          fixture.node(node),
          patch -> patch.spec(spec -> spec.put("unschedulable", false)));
      fixture.eventuallyStatus(id, "Cancelled");
      fixture.eventually().until(() -> outcome(node, 0), "CANCELLED"::equals);
      assertThat(fixture.events(node)).contains("RemediationCancelled");
      assertThat(fixture.node(node).annotations()).doesNotContainKey("latestFaultRemediationState");
    }
  }

  @Test
  void whatWasMissedWhileNobodyRanIsDoneAtTheStart() {
    String node = fixture.addNode();
    String id;
    try (Operator first = fixture.operator(fixture.reboots())) {
      id = fixture.send(fault(node));
      fixture.eventuallyStatus(id, "Quarantined");
      first.process().kill();
    }
    fixture.drained(id);
    try (Operator _ = fixture.operator(fixture.reboots())) {
      fixture.only(REBOOTS);
      fixture.eventually().until(() -> fixture.remediated(id).orElse(false));
    }
  }

  @Test
  void aPersonMayAskToLeaveOutWhatIsStored() {
    String node = fixture.addNode();
    try (Operator first = fixture.operator(fixture.reboots())) {
      String id = fixture.send(fault(node));
      fixture.eventuallyStatus(id, "Quarantined");
      first.process().kill();
      fixture.drained(id);
    }
    fixture.cluster().pass(Duration.ofSeconds(1));
    var map = Resource.CONFIG_MAPS.manifest("default", "resume-control");
    map.putObject("data").put("fault-remediation", "CREATE");
    var _ = fixture.kube().http().createOrFind(Resource.CONFIG_MAPS, map);
    try (Operator _ = fixture.operator(fixture.reboots())) {
      fixture.cluster().pass(Duration.ofMinutes(10));
      assertThat(fixture.list(REBOOTS)).isEmpty();
      assertThat(
              text(
                  fixture
                      .kube()
                      .http()
                      .find(Resource.CONFIG_MAPS, "default", "resume-control")
                      .orElseThrow()
                      .path("data"),
                  "fault-remediation"))
          .isEqualTo("RESUME");

      fixture.quarantinedAndDrained(fault(node).entity("GPU", "7"));
      fixture.only(REBOOTS);
    }
  }

  @Test
  void aKindThatComesLaterIsUsedThenAndCountsOnce() {
    String node = fixture.addNode();
    ApiObject definition =
        ApiObject.of(
            fixture
                .kube()
                .http()
                .find(DEFINITIONS, "", "rebootnodes.janitor.dgxc.nvidia.com")
                .orElseThrow());
    Delete.sameUid(DEFINITIONS, definition).send(fixture.kube().http());
    try (Operator _ = fixture.operator(fixture.reboots())) {
      String id = fixture.quarantinedAndDrained(fault(node));
      eventuallyLabel(node, FAILED);
      assertThat(fixture.events(node)).contains("RemediationFailed");
      fixture.cluster().pass(Duration.ofMinutes(30));

      fixture.cluster().define(CrdCatalog.yaml(List.of(RebootNode.class)));
      fixture.only(REBOOTS);
      eventuallyLabel(node, SUCCEEDED);
      fixture.eventually().until(() -> fixture.remediated(id).orElse(false));
      assertThat(fixture.journal(node).path("attempts")).hasSize(1);
    }
  }

  private static final Resource DEFINITIONS =
      Resource.cluster(
          "apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition");

  @Test
  void aTemplateThatGivesNoYamlIsAVisibleFailure() {
    String node = fixture.addNode();
    try (Operator operator = fixture.operator(fixture.reboots("a: b: c", ""))) {
      fixture.quarantinedAndDrained(fault(node));
      eventuallyLabel(node, FAILED);
      assertThat(text(fixture.journal(node).path("attempts").path(0), "problem"))
          .contains("template reboot.yaml", "not render to YAML");
      assertThat(operator.process().kube().health().degraded().toString())
          .contains("not render to YAML");
    }
  }

  @Test
  void withoutAFileAFaultIsAMaintenanceThatIsTakenBackIfTheNodeRecoversFirst() {
    String node = fixture.addNode();
    RemediationConfig config = RemediationConfig.of(RemediationFixture.maintenance());
    try (Operator _ = fixture.operator(config)) {
      String id = fixture.quarantinedAndDrained(fault(node));
      ApiObject maintenance = fixture.only(MAINTENANCES);
      assertThat(text(maintenance.spec(), "nodeObject")).isEqualTo(node);
      assertThat(text(maintenance.spec(), "maintenanceType")).isEqualTo("unplanned");
      assertThat(text(maintenance.spec(), "maintenanceID")).matches("fault-[0-9a-f]{16}");
      assertThat(maintenance.annotations())
          .containsEntry("drydock.dev/recommended-action", "RESTART_VM")
          .containsEntry("drydock.dev/health-event", id);

      fixture.eventuallyStatus(fixture.send(recovery(node)), "UnQuarantined");
      fixture.eventually().until(() -> fixture.list(MAINTENANCES).isEmpty());
      fixture.eventually().until(() -> outcome(node, 0), "RECOVERED"::equals);
    }
  }

  @Test
  void whatTheOriginalHasMadeIsTakenOver() {
    String node = fixture.addNode();
    ApiObject before = fixture.node(node);
    var reboot = REBOOTS.manifest("", "maintenance-x");
    reboot.withObject("/spec").put("nodeName", node);
    reboot
        .withObject("/metadata")
        .putArray("ownerReferences")
        .add(before.ownerReference(Resource.NODES));
    var _ = fixture.kube().http().createOrFind(REBOOTS, reboot);
    String id;
    try (Operator first = fixture.operator(fixture.reboots())) {
      id = fixture.send(fault(node));
      fixture.eventuallyStatus(id, "Quarantined");
      first.process().kill();
    }
    fixture.change(
        Resource.NODES,
        fixture.node(node),
        patch ->
            patch.annotation(
                "latestFaultRemediationState",
                """
                {"equivalenceGroups":{"restart":{"maintenanceCR":"maintenance-x",
                "createdAt":"%s","actionName":"RESTART_VM"}}}"""
                    .formatted(fixture.cluster().clock().instant())));
    fixture.drained(id);
    try (Operator _ = fixture.operator(fixture.reboots())) {
      fixture.eventually().until(() -> fixture.remediated(id).orElse(false));
      fixture.condition(REBOOTS, "maintenance-x", "NodeReady", "True");
      fixture.eventually().until(() -> fixture.events(node).contains("RemediationDone"));
      assertThat(fixture.list(REBOOTS)).hasSize(1);
    }
  }

  @Test
  void whatTheOriginalLeftOnAHealthyNodeGoes() {
    String node = fixture.addNode();
    fixture.change(
        Resource.NODES,
        fixture.node(node),
        patch ->
            patch.annotation(
                "latestFaultRemediationState", "{\"equivalenceGroups\":{\"restart\":{}}}"));
    try (Operator _ = fixture.operator(fixture.reboots())) {
      fixture
          .eventually()
          .until(
              () -> !fixture.node(node).annotations().containsKey("latestFaultRemediationState"));
    }
  }

  @Test
  void theAndonCordKeepsRebootsFromBeginning() {
    String node = fixture.addNode();
    try (Operator operator = fixture.operator(fixture.reboots())) {
      String id = fixture.send(fault(node));
      fixture.eventuallyStatus(id, "Quarantined");
      fixture.stopped = Optional.of("stopped");
      fixture.drained(id);
      fixture.cluster().pass(Duration.ofMinutes(10));
      assertThat(fixture.list(REBOOTS)).isEmpty();

      fixture.stopped = Optional.empty();
      operator.remediations().wake();
      fixture.only(REBOOTS);
    }
  }

  @Test
  void aDryRunChangesNothing() {
    String node = fixture.addNode();
    try (Operator _ =
        fixture.operator(fixture.reboots(), ProcessOptions.of(RequestInterceptor.NONE), true)) {
      String id = fixture.quarantinedAndDrained(fault(node));
      fixture.cluster().pass(Duration.ofMinutes(10));
      assertThat(fixture.list(REBOOTS)).isEmpty();
      assertThat(fixture.label(node)).isEqualTo("quarantined");
      assertThat(fixture.remediated(id)).isEmpty();
    }
  }

  @Test
  void aNodeWithTheLongestNameIsServed() {
    String node = fixture.cluster().addNodeWithLongName("long");
    try (Operator _ = fixture.operator(fixture.reboots())) {
      fixture.quarantinedAndDrained(fault(node));
      assertThat(fixture.only(REBOOTS).name()).hasSizeLessThanOrEqualTo(253);
      eventuallyLabel(node, SUCCEEDED);
    }
  }

  @Test
  void anotherObjectOfTheSameNameIsNotTakenForOurs() {
    String node = fixture.addNode();
    var foreign = REBOOTS.manifest("", "maintenance-%s-e0001".formatted(node));
    foreign.withObject("/spec").put("nodeName", "other");
    var _ = fixture.kube().http().createOrFind(REBOOTS, foreign);
    try (Operator _ = fixture.operator(fixture.reboots())) {
      fixture.quarantinedAndDrained(fault(node));
      eventuallyLabel(node, FAILED);
      assertThat(text(fixture.journal(node).path("attempts").path(0), "problem"))
          .contains("has another owner");
    }
  }
}
