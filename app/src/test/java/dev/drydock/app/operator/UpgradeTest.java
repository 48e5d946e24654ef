package dev.drydock.app.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.maintenance.MaintenanceSettings;
import dev.drydock.serve.feature.CoreSettings;
import dev.drydock.serve.feature.Features;
import dev.drydock.serve.feature.Setting;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.testkit.LoopbackServer;
import dev.drydock.testkit.StoredCluster;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A cluster in the middle of its work, as an earlier build left it: this build reads all that is
 * stored there and carries it on. {@code docs/image.md} says when and how to store it anew.
 */
class UpgradeTest {
  private static final Path STORED = Path.of("src", "test", "resources", "upgrade", "cluster.json");
  private static final String SYSTEM = "drydock-system";
  private static final String MAINTENANCES =
      "/apis/ngn2.nvidia.com/v1alpha1/namespaces/%s/notifymaintenances";

  private static final List<String> KINDS =
      List.of(
          "/api/v1/nodes",
          "/api/v1/pods",
          "/api/v1/configmaps",
          "/apis/policy/v1/poddisruptionbudgets",
          "/apis/drydock.dev/v1alpha1/maintenanceclasses",
          "/apis/drydock.dev/v1alpha1/maintenancecampaigns",
          "/apis/ngn2.nvidia.com/v1alpha1/notifymaintenances",
          "/apis/nvsentinel.nvidia.com/v1alpha1/drainrequests");

  private final List<String> delivered = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> toClose = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : toClose.reversed()) {
      each.close();
    }
  }

  private <T extends AutoCloseable> T closing(T part) {
    toClose.add(part);
    return part;
  }

  /** In virtual time, with our kinds. */
  private record VirtualCluster(SimulatedCluster simulated, TestCluster api) {
    String text(String path, String pointer) {
      return simulated.call("GET", path, null).body().at(pointer).asText();
    }
  }

  private VirtualCluster startAt(Instant start) {
    SimulatedCluster simulated =
        SimulatedCluster.stepped(SimulatedCluster.Settings.defaults(), start);
    TestCluster api = closing(TestCluster.simulated(simulated));
    api.define(CrdCatalog.yaml());
    return new VirtualCluster(simulated, api);
  }

  private void operator(VirtualCluster cluster, URI notices) {
    Features features = Features.load();
    Map<Setting<?>, String> flags = new HashMap<>();
    flags.put(CoreSettings.WEBHOOK_ENABLED, "false");
    flags.put(MaintenanceSettings.SLA_PERIOD, "5h");
    flags.put(MaintenanceSettings.CHANNELS, "[{type: slack, url: '%s'}]".formatted(notices));
    TestProcess process = closing(cluster.api().process());
    Operator operator =
        closing(
            new Operator(
                new Operator.Setup(
                    cluster.api().client(),
                    RequestInterceptor.NONE,
                    SYSTEM,
                    "test",
                    ConfigReader.read(
                            new ConfigReader.Given(
                                flags, Map.of(), Optional.empty(), Path.of("none")),
                            features,
                            features)
                        .settings(),
                    features),
                process.kube()));
    operator.lead();
  }

  private static void apply(VirtualCluster cluster, String yaml) {
    for (String document : yaml.split("---\n", -1)) {
      var _ = cluster.api().client().resource(document).create();
    }
  }

  /** Everything that Drydock stores, each in the middle of something. */
  @Test
  @EnabledIfSystemProperty(named = "upgrade.record", matches = "true")
  void store() throws IOException {
    VirtualCluster cluster = startAt(Instant.parse("2026-01-01T00:00:00Z"));
    cluster.simulated().addNodes(3, "n", NodeTemplate.DEFAULT);
    cluster.simulated().addNodes(2, "c", NodeTemplate.DEFAULT.withLabel("campaign", "yes"));
    apply(
        cluster,
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: drydock-system}
        ---
        apiVersion: v1
        kind: Namespace
        metadata: {name: drydock-maintenance}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: guarded, namespace: default, labels: {app: guarded}}
        spec: {nodeName: n2, terminationGracePeriodSeconds: 1, containers: [{name: main, image: none}]}
        ---
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: guarded, namespace: default}
        spec: {minAvailable: 1, selector: {matchLabels: {app: guarded}}}
        ---
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceClass
        metadata: {name: by-hand}
        spec: {drain: {builtin: {policy: {force: true}}}, maintenance: {outside: {}}, validation: {none: {}}}
        """);
    operator(cluster, URI.create("http://127.0.0.1:9/")); // nobody listens, so notices are queued
    new NodeHolds(closing(cluster.api().process()).kube())
        .place("n1", Hold.of("team/a", "new disk", cluster.api().clock().instant()));
    apply(
        cluster,
        """
        apiVersion: nvsentinel.nvidia.com/v1alpha1
        kind: DrainRequest
        metadata: {name: blocked, namespace: default}
        spec: {nodeName: n2, drainer: builtin, policy: {force: true}}
        ---
        apiVersion: ngn2.nvidia.com/v1alpha1
        kind: NotifyMaintenance
        metadata: {name: firmware, namespace: default}
        spec: {nodeObject: n3, maintenanceID: fw, maintenanceType: planned, maintenanceClass: by-hand}
        ---
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceCampaign
        metadata: {name: autumn}
        spec:
          nodeSelector: {matchLabels: {campaign: "yes"}}
          maintenanceClass: by-hand
          budgets: [{key: campaign, maxUnavailable: 1}]
        """);
    cluster
        .api()
        .eventually()
        .untilAsserted(
            () -> {
              assertThat(drain(cluster)).isEqualTo("Blocked");
              assertThat(state(cluster)).isEqualTo("ObjectsDrained");
              assertThat(campaignStates(cluster)).containsExactly("ObjectsDrained");
            });
    StoredCluster.of(cluster.simulated(), KINDS).write(STORED);
  }

  private static String drain(VirtualCluster cluster) {
    return cluster.text(
        "/apis/nvsentinel.nvidia.com/v1alpha1/namespaces/default/drainrequests/blocked",
        "/status/conditions/0/reason");
  }

  private static String state(VirtualCluster cluster) {
    return cluster.text(
        MAINTENANCES.formatted("default") + "/firmware", "/status/maintenanceStatus");
  }

  private static List<String> campaignStates(VirtualCluster cluster) {
    return ofCampaign(cluster, "/status/maintenanceStatus");
  }

  private static List<String> campaignMaintenances(VirtualCluster cluster) {
    return ofCampaign(cluster, "/metadata/name");
  }

  private static List<String> ofCampaign(VirtualCluster cluster, String pointer) {
    List<String> values = new ArrayList<>();
    cluster
        .simulated()
        .call("GET", MAINTENANCES.formatted("drydock-maintenance"), null)
        .body()
        .path("items")
        .forEach(each -> values.add(each.at(pointer).asText()));
    return values;
  }

  private VirtualCluster restored() throws IOException {
    StoredCluster stored = StoredCluster.read(STORED);
    VirtualCluster cluster = startAt(stored.at());
    cluster.simulated().load(stored.objects());
    return cluster;
  }

  /** Where notices are sent. */
  private URI receiver() {
    LoopbackServer server = closing(new LoopbackServer());
    server.handle(
        "/",
        exchange -> {
          delivered.add(
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          LoopbackServer.answer(exchange, 200, "");
        });
    return server.uri("/");
  }

  @Test
  void whatAnEarlierBuildStoredIsCarriedOn() throws IOException {
    VirtualCluster cluster = restored();
    NodeHolds holds = new NodeHolds(closing(cluster.api().process()).kube());
    assertThat(holds.readAll().problems()).isEmpty();

    operator(cluster, receiver());

    // queued notices are sent, those of one node in order
    cluster
        .api()
        .eventually()
        .untilAsserted(
            () ->
                assertThat(delivered.stream().filter(each -> each.contains("[n3]")).toList())
                    .hasSizeGreaterThanOrEqualTo(3));
    assertThat(holds.read("n1").heldBy("team/a")).isTrue();
    assertThat(drain(cluster)).isEqualTo("Blocked");

    // the drain ends as soon as it can
    cluster.api().client().policy().v1().podDisruptionBudget().inNamespace("default").delete();
    cluster
        .api()
        .eventually()
        .untilAsserted(() -> assertThat(drain(cluster)).isEqualTo("DrainComplete"));

    finish(cluster, "default", "firmware");
    cluster
        .api()
        .eventually()
        .untilAsserted(
            () ->
                assertThat(
                        cluster
                            .simulated()
                            .call("GET", MAINTENANCES.formatted("default") + "/firmware", null)
                            .code())
                    .as("it is removed at its end")
                    .isEqualTo(404));
    assertThat(holds.read("n3").byHolder()).isEmpty();

    // the ledger keeps the second node of the campaign waiting, until the first is back
    assertThat(campaignStates(cluster)).containsExactly("ObjectsDrained");
    finish(cluster, "drydock-maintenance", campaignMaintenances(cluster).getFirst());
    cluster
        .api()
        .eventually()
        .untilAsserted(
            () ->
                assertThat(campaignMaintenances(cluster))
                    .singleElement()
                    .asString()
                    .startsWith("autumn-c2-"));
  }

  private static void finish(VirtualCluster cluster, String namespace, String name) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch
        .putObject("metadata")
        .putObject("annotations")
        .put("maintenance/maintenanceClient", "complete");
    var _ = cluster.simulated().patch("NotifyMaintenance", namespace, name, "", patch);
  }
}
