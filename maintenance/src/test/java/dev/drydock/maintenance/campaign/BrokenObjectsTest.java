package dev.drydock.maintenance.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Kube;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.maintenance.control.MaintenanceController;
import dev.drydock.maintenance.control.NoticeSink;
import dev.drydock.maintenance.decide.MaintenanceInput;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One object cannot be read, or a bug is met when it is served: the others are served, it is seen
 * in the process's health, and it is served itself once it is mended, without a restart.
 */
class BrokenObjectsTest {
  private static final ObjectMapper YAML = new YAMLMapper();

  private final SimulatedCluster sim =
      SimulatedCluster.stepped(
          SimulatedCluster.Settings.defaults(), Instant.parse("2026-01-01T00:00:00Z"));
  private final TestCluster cluster = TestCluster.simulated(sim);

  private final LoopBug bug = new LoopBug();

  /** Throws for calls that fail. */
  private Consumer<ApiCall> refused = _ -> {};

  private final TestProcess process =
      cluster.process(
          new RequestInterceptor() {
            @Override
            public void before(ApiCall call) {
              bug.before(call);
              refused.accept(call);
            }

            @Override
            public void after(ApiCall call, int code) {}
          });
  private final Kube kube = process.kube();

  @BeforeEach
  void serve() {
    cluster.define(CrdCatalog.yaml());
    cluster.eventually().until(() -> sim.list("MaintenanceCampaign", "", "").isSuccess());
    var _ = sim.addNodes(3, "n-", NodeTemplate.DEFAULT);
    create(
        """
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceClass
        metadata: {name: outside}
        spec: {drain: {outside: {}}, maintenance: {outside: {}}, validation: {none: {}}}
        """);
    CampaignController campaigns =
        new CampaignController(
            kube, new CampaignController.Settings("default", List.of()), Optional::empty);
    MaintenanceController maintenances =
        new MaintenanceController(
            kube,
            new MaintenanceInput.Rules(Duration.ofHours(5), false),
            new MaintenanceController.Dependencies(
                new DrainEngine(kube, DrainEngine.Options.DEFAULT),
                campaigns,
                NoticeSink.NONE,
                MaintenanceController.Watcher.NONE));
    campaigns.serve(maintenances);
    maintenances.start();
  }

  @AfterEach
  void close() {
    process.kill();
    cluster.close();
  }

  private void create(String documents) {
    objects(documents).forEach(object -> assertThat(sim.create(object).code()).isEqualTo(201));
  }

  private static List<ObjectNode> objects(String documents) {
    try (MappingIterator<ObjectNode> all = YAML.readerFor(ObjectNode.class).readValues(documents)) {
      return all.readAll();
    } catch (IOException malformed) {
      throw new UncheckedIOException(malformed);
    }
  }

  private void maintenance(String name, String node, String more) {
    create(
        """
        apiVersion: ngn2.nvidia.com/v1alpha1
        kind: NotifyMaintenance
        metadata: {name: %s, namespace: default}
        spec: {nodeObject: %s, maintenanceID: %s, maintenanceType: planned%s}
        """
            .formatted(name, node, name, more));
  }

  private void patch(String kind, String name, String subresource, String patch) {
    String namespace = kind.equals("NotifyMaintenance") ? "default" : "";
    assertThat(sim.patch(kind, namespace, name, subresource, objects(patch).getFirst()).isSuccess())
        .isTrue();
  }

  private String status(String kind, String name, String field) {
    String namespace = kind.equals("NotifyMaintenance") ? "default" : "";
    ObjectNode found = Objects.requireNonNull(sim.find(kind, namespace, name));
    return found.path("status").path(field).asText("");
  }

  private String state(String maintenance) {
    return status("NotifyMaintenance", maintenance, "maintenanceStatus");
  }

  private void awaitState(String maintenance, String state) {
    cluster.eventually().until(() -> state(maintenance), state::equals);
  }

  /** What a campaign writes. */
  enum CampaignWrite {
    MAINTENANCE,
    LEDGER,
    STATUS
  }

  private boolean isOf(String campaign, CampaignWrite write, ApiCall call) {
    ObjectNode found = Objects.requireNonNull(sim.find("MaintenanceCampaign", "", campaign));
    String uid = found.path("metadata").path("uid").asText();
    String body = String.valueOf(call.body());
    return switch (write) {
      case MAINTENANCE ->
          call.verb() == ApiCall.Verb.CREATE && body.contains("\"campaign " + campaign + "\"");
      case LEDGER -> (call.path() + body).contains("drydock-campaign-" + uid);
      case STATUS -> call.path().contains("/maintenancecampaigns/" + campaign + "/");
    };
  }

  private void maintainByHand(String maintenance) {
    awaitState(maintenance, "MaintenanceStarted");
    patch(
        "NotifyMaintenance",
        maintenance,
        "",
        "{metadata: {annotations: {maintenance/readyForMaintenance: 'true'}}}");
    awaitState(maintenance, "ObjectsDrained");
    patch(
        "NotifyMaintenance",
        maintenance,
        "",
        "{metadata: {annotations: {maintenance/maintenanceClient: complete}}}");
  }

  private boolean exists(String maintenance) {
    return sim.find("NotifyMaintenance", "default", maintenance) != null;
  }

  private boolean isClaimed(String campaign) {
    ObjectNode found = Objects.requireNonNull(sim.find("MaintenanceCampaign", "", campaign));
    return found.path("status").path("ledger").hasNonNull("namespace");
  }

  @ParameterizedTest
  @EnumSource
  void oneCampaignsFailingWriteStopsNoOther(CampaignWrite write) {
    AtomicInteger failed = new AtomicInteger();
    campaign("bad", "n-1");
    campaign("good", "n-2");
    // Before that no node leaves.
    cluster.eventually().until(() -> isClaimed("bad") && isClaimed("good"));
    refused =
        call -> {
          if (call.verb() != ApiCall.Verb.LIST && isOf("bad", write, call)) {
            failed.incrementAndGet();
            throw new ApiFailure(500, "etcd is away");
          }
        };
    if (write != CampaignWrite.MAINTENANCE) {
      cluster.eventually().until(() -> exists(maintenance("bad", "n-1")));
      maintainByHand(maintenance("bad", "n-1"));
    }
    cluster.eventually().until(() -> exists(maintenance("good", "n-2")));
    maintainByHand(maintenance("good", "n-2"));
    awaitPhase("good", "Completed");
    assertThat(failed).hasPositiveValue();
    if (write == CampaignWrite.LEDGER) {
      assertThat(exists(maintenance("bad", "n-1"))).as("the only proof that it is done").isTrue();
    } else {
      assertThat(status("MaintenanceCampaign", "bad", "phase")).isNotEqualTo("Completed");
    }
    assertThat(kube.health().degraded())
        .as("the process says which one it is")
        .anySatisfy(line -> assertThat(line).contains("campaigns bad", "etcd is away"));

    refused = _ -> {};
    if (write == CampaignWrite.MAINTENANCE) {
      cluster.eventually().until(() -> exists(maintenance("bad", "n-1")));
      maintainByHand(maintenance("bad", "n-1"));
    }
    awaitPhase("bad", "Completed");
    awaitHealthy();
  }

  @Test
  void aClassSaysWhetherItCanBeUsedAndWhyNot() {
    assertThat(ready("outside")).startsWith("True Accepted");

    create(
        """
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceClass
        metadata: {name: mistaken}
        spec:
          drain: {builtin: {policy: {podSelector: "a in ("}}}
          maintenance: {outside: {}}
          validation: {none: {}}
        """);
    cluster
        .eventually()
        .until(() -> ready("mistaken").startsWith("False Mistakes mistaken cannot be read: spec."));
    patch(
        "MaintenanceClass",
        "mistaken",
        "",
        "{spec: {drain: {builtin: {policy: {podSelector: a}}}}}");
    cluster.eventually().until(() -> ready("mistaken").startsWith("True Accepted"));
  }

  @Test
  void aClassWhoseStatusMeetsABugHoldsUpNoOther() {
    bug.atWritesTo("/maintenanceclasses/broken");
    for (String name : List.of("broken", "other")) {
      create(
          """
          apiVersion: drydock.dev/v1alpha1
          kind: MaintenanceClass
          metadata: {name: %s}
          spec: {drain: {outside: {}}, maintenance: {outside: {}}, validation: {none: {}}}
          """
              .formatted(name));
    }

    assertThat(ready("other")).startsWith("True Accepted");
    bug.staysIn(
        "class-status",
        kube,
        cluster.eventually(),
        () -> assertOnlyFails("class-status broken"),
        () ->
            assertThat(
                    find("MaintenanceClass", "broken").at("/status/conditions/0/status").asText())
                .isEqualTo("True"));
  }

  private void assertOnlyFails(String object) {
    assertThat(kube.health().degraded()).singleElement().asString().startsWith(object + ": ");
  }

  private ObjectNode find(String kind, String name) {
    return Objects.requireNonNull(sim.find(kind, "", name));
  }

  private String ready(String name) {
    cluster
        .eventually()
        .until(
            () ->
                !Objects.requireNonNull(sim.find("MaintenanceClass", "", name))
                    .at("/status/conditions/0")
                    .isMissingNode());
    var condition =
        Objects.requireNonNull(sim.find("MaintenanceClass", "", name)).at("/status/conditions/0");
    assertThat(condition.path("type").asText()).isEqualTo("Ready");
    return "%s %s %s"
        .formatted(
            condition.path("status").asText(),
            condition.path("reason").asText(),
            condition.path("message").asText());
  }

  /** How the campaign's maintenance of a node is called. */
  private String maintenance(String campaign, String node) {
    ObjectNode found = Objects.requireNonNull(sim.find("MaintenanceCampaign", "", campaign));
    return MaintenanceCampaignObject.maintenanceName(
        campaign, found.path("metadata").path("uid").asText(), node);
  }

  private void awaitHealthy() {
    cluster.eventually().until(() -> kube.health().degraded(), List::isEmpty);
  }

  private void cordonAndLabel(String node, String id) {
    patch("Node", node, "", "{metadata: {labels: {maintenance/%s: ''}}}".formatted(id));
    patch("Node", node, "", "{spec: {unschedulable: true}}");
  }

  @Test
  void aMaintenanceWhoseStepMeetsABugHoldsUpNoOther() {
    bug.atWritesTo("/notifymaintenances/broken");
    maintenance("broken", "n-1", "");
    maintenance("same-node", "n-1", "");
    maintenance("other-node", "n-2", "");

    bug.staysIn(
        "maintenance",
        kube,
        cluster.eventually(),
        () -> {
          assertThat(List.of(state("same-node"), state("other-node")))
              .containsOnly("MaintenanceScheduled");
          assertOnlyFails("maintenance default/broken");
        },
        () -> assertThat(state("broken")).isEqualTo("MaintenanceScheduled"));
  }

  @Test
  void aMaintenanceThatCannotBeReadIsNotTakenForGone() {
    maintenance("broken", "n-1", "");
    maintenance("same-node", "n-1", "");
    awaitState("broken", "MaintenanceScheduled");
    awaitState("same-node", "MaintenanceScheduled");
    cordonAndLabel("n-1", "broken");
    cordonAndLabel("n-1", "same-node");
    awaitState("broken", "MaintenanceStarted");
    awaitState("same-node", "MaintenanceStarted");
    String deadline = status("NotifyMaintenance", "broken", "slaExpires");
    // As an older definition let it pass.
    ObjectNode broken =
        Objects.requireNonNull(sim.find("NotifyMaintenance", "default", "broken")).deepCopy();
    ((ObjectNode) broken.path("status")).put("slaExpires", "soon");
    sim.load(List.of(broken));
    cluster.eventually().until(() -> !kube.health().degraded().isEmpty());

    maintenance("other-node", "n-2", "");
    awaitState("other-node", "MaintenanceScheduled");
    patch("Node", "n-1", "", "{spec: {unschedulable: null}}");
    cluster.pass(Duration.ofMinutes(1));
    assertThat(Objects.requireNonNull(sim.find("Node", "", "n-1")).at("/metadata/labels"))
        .as("nobody knows whether the other one needs its label")
        .anySatisfy(_ -> assertThat(label("maintenance~1broken")).isTrue());
    assertThat(kube.health().degraded())
        .anySatisfy(line -> assertThat(line).contains("default/broken cannot be read"))
        .anySatisfy(line -> assertThat(line).contains("maintenance default/same-node"));

    patch(
        "NotifyMaintenance",
        "broken",
        "status",
        "{status: {slaExpires: '%s'}}".formatted(deadline));
    cluster.eventually().until(() -> !label("maintenance~1broken"));
    awaitHealthy();
  }

  private boolean label(String pointer) {
    return Objects.requireNonNull(sim.find("Node", "", "n-1"))
        .at("/metadata/labels/" + pointer)
        .isTextual();
  }

  @Test
  void aClassThatCannotBeReadHoldsUpOnlyItsMaintenances() {
    sim.load(
        objects(
            """
            apiVersion: drydock.dev/v1alpha1
            kind: MaintenanceClass
            metadata: {name: broken, uid: u-1}
            spec: {drain: wrong, maintenance: {outside: {}}, validation: {none: {}}}
            """));
    maintenance("waits", "n-1", ", maintenanceClass: broken");
    maintenance("goes-on", "n-2", ", maintenanceClass: outside");

    awaitState("goes-on", "MaintenanceStarted");
    assertThat(kube.health().degraded())
        .anySatisfy(line -> assertThat(line).contains("broken cannot be read"));
    assertThat(status("NotifyMaintenance", "waits", "maintenanceStatus"))
        .isNotEqualTo("MaintenanceStarted");

    patch("MaintenanceClass", "broken", "", "{spec: {drain: {outside: {}}}}");
    awaitState("waits", "MaintenanceStarted");
    awaitHealthy();
  }

  private void campaign(String name, String node) {
    create(
        """
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceCampaign
        metadata: {name: %s}
        spec:
          nodeSelector: {matchLabels: {kubernetes.io/hostname: %s}}
          maintenanceClass: outside
          namespace: default
          budgets: [{maxUnavailable: 100%%}]
        """
            .formatted(name, node));
  }

  private void awaitPhase(String campaign, String phase) {
    cluster
        .eventually()
        .until(() -> status("MaintenanceCampaign", campaign, "phase"), phase::equals);
  }

  @Test
  void aCampaignWhoseStepMeetsABugHoldsUpNoOther() {
    bug.atWritesTo("/maintenancecampaigns/broken");
    campaign("broken", "n-1");
    campaign("whole", "n-2");

    awaitPhase("whole", "Running");
    bug.staysIn(
        "campaigns",
        kube,
        cluster.eventually(),
        () -> {
          assertThat(state(maintenance("whole", "n-2"))).isEqualTo("MaintenanceStarted");
          assertOnlyFails("campaigns broken");
        },
        () -> assertThat(status("MaintenanceCampaign", "broken", "phase")).isEqualTo("Running"));
  }

  @Test
  void aCampaignThatCannotBeReadKeepsItsPlacesAndHoldsUpNoOther() {
    campaign("broken", "n-1");
    awaitState(maintenance("broken", "n-1"), "MaintenanceStarted");
    ObjectNode whole = Objects.requireNonNull(sim.find("MaintenanceCampaign", "", "broken"));
    ObjectNode broken = whole.deepCopy();
    ((ObjectNode) broken.path("spec")).put("budgets", "none");
    sim.load(List.of(broken));
    cluster.eventually().until(() -> !kube.health().degraded().isEmpty());

    campaign("whole", "n-2");
    awaitState(maintenance("whole", "n-2"), "MaintenanceStarted");
    assertThat(kube.health().degraded())
        .singleElement()
        .asString()
        .contains("broken cannot be read");
    assertThat(
            Objects.requireNonNull(sim.find("ConfigMap", "default", DepartureLedger.NAME))
                .path("data")
                .has("n-1"))
        .isTrue();

    patch(
        "MaintenanceCampaign",
        "broken",
        "",
        "{spec: {budgets: [{maxUnavailable: 100%}], paused: true}}");
    awaitPhase("broken", "Paused");
    awaitHealthy();
  }

  @Test
  void aLedgerWhoseLabelSomebodyRemovedIsFoundAndGetsItBack() {
    campaign("first", "n-1");
    awaitState(maintenance("first", "n-1"), "MaintenanceStarted");
    ObjectNode unlabelled =
        Objects.requireNonNull(sim.find("ConfigMap", "default", DepartureLedger.NAME)).deepCopy();
    ((ObjectNode) unlabelled.path("metadata")).remove("labels");
    sim.load(List.of(unlabelled));

    campaign("second", "n-2");

    awaitState(maintenance("second", "n-2"), "MaintenanceStarted");
    assertThat(
            Objects.requireNonNull(sim.find("ConfigMap", "default", DepartureLedger.NAME))
                .path("metadata")
                .path("labels")
                .has(DepartureLedger.LABEL))
        .isTrue();
  }
}
