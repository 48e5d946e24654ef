package dev.drydock.health.remediation;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.health.decide.TestEvents;
import dev.drydock.health.quarantine.MemoryEventStore;
import dev.drydock.health.quarantine.QuarantineController;
import dev.drydock.health.quarantine.QuarantineMetrics;
import dev.drydock.health.quarantine.QuarantineOptions;
import dev.drydock.health.rules.RuleFile;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Patch;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Resource;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A cluster with a store, and processes that quarantine its nodes and remedy their failures. */
final class RemediationFixture implements AutoCloseable {
  static final Resource REBOOTS =
      Resource.cluster("janitor.dgxc.nvidia.com", "v1alpha1", "rebootnodes", "RebootNode");
  static final Resource MAINTENANCES =
      Resource.namespaced("ngn2.nvidia.com", "v1alpha1", "notifymaintenances", "NotifyMaintenance");
  static final String NAMESPACE = "default";

  static final String RULES =
      """
      [circuitBreaker]
      percentage = 100
      minimumNodes = 100
      duration = "5m"
      slowAtPercentage = 100

      [[rule-sets]]
      enabled = true
      name = "fatal"
      [[rule-sets.match.all]]
      kind = "HealthEvent"
      expression = "event.isFatal"
      [rule-sets.cordon]
      shouldCordon = true
      """;

  static final String TEMPLATE =
      """
      apiVersion: {{.ApiGroup}}/{{.Version}}
      kind: {{.Kind}}
      metadata:
        name: overwritten
        labels:
          app.kubernetes.io/managed-by: nvsentinel
        annotations:
          nvsentinel.nvidia.com/ttl: "336h"
      spec:
        nodeName: {{.NodeName}}
        force: true
      """;

  final MemoryEventStore store;
  volatile Optional<String> stopped = Optional.empty();
  private final TestCluster cluster;
  private final Path folder;
  private final String namespace;
  private final Kube kube;
  private @Nullable QuarantineController quarantines;
  private final String prefix;
  private final List<String> nodes = new ArrayList<>();

  /**
   * On a cluster that others use, too: nodes are called after the folder.
   *
   * @param namespace of the operator that remedies
   */
  RemediationFixture(TestCluster cluster, Path folder, String namespace) {
    this(cluster, folder, namespace, folder.getFileName() + "-");
  }

  private RemediationFixture(TestCluster cluster, Path folder, String namespace, String prefix) {
    this.cluster = cluster;
    this.prefix = prefix;
    this.folder = folder;
    this.namespace = namespace;
    store = new MemoryEventStore(cluster.clock());
    kube = cluster.process().kube();
  }

  static RemediationFixture simulated(Path folder) {
    RemediationFixture fixture =
        new RemediationFixture(TestCluster.simulated(), folder, NAMESPACE, "node");
    fixture.define();
    return fixture;
  }

  void define() {
    cluster.define(
        String.join(
            "---\n",
            CrdCatalog.yaml(),
            CrdCatalog.yaml(CrdCatalog.ON_REQUEST),
            CrdCatalog.yaml(CrdCatalog.SERVED_BY_OTHERS)));
  }

  /** One operator. */
  record Operator(
      TestProcess process, RemediationController remediations, SimpleMeterRegistry meters)
      implements AutoCloseable {
    @Override
    public void close() {
      remediations.close();
      process.close();
    }

    double count(String name, String... tags) {
      return meters.find(name).tags(tags).counters().stream().mapToDouble(Counter::count).sum();
    }
  }

  RemediationConfig reboots() {
    return reboots(TEMPLATE, "");
  }

  /**
   * @param more at the beginning of the file
   */
  RemediationConfig reboots(String template, String more) {
    try {
      Files.writeString(folder.resolve("reboot.yaml"), template);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return RemediationFile.parse(
        more
            + """

              [template]
              mountPath = "%s"

              [remediationActions."RESTART_VM"]
              apiGroup = "janitor.dgxc.nvidia.com"
              version = "v1alpha1"
              kind = "RebootNode"
              scope = "Cluster"
              completeConditionType = "NodeReady"
              templateFileName = "reboot.yaml"
              equivalenceGroup = "restart"
              """
                .formatted(folder),
        "remediation.toml");
  }

  static DefaultMaintenance maintenance() {
    return new DefaultMaintenance(NAMESPACE, Optional.empty());
  }

  Operator operator(RemediationConfig config) {
    return operator(config, ProcessOptions.of(RequestInterceptor.NONE), false);
  }

  Operator operator(RemediationConfig config, ProcessOptions options, boolean dryRun) {
    quarantine();
    TestProcess own = cluster.process(options);
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    RemediationController remediations =
        new RemediationController(
            own.kube(),
            () -> store,
            config,
            new RemediationOptions(namespace, dryRun),
            new RemediationMetrics(meters),
            () -> stopped);
    remediations.start();
    return new Operator(own, remediations, meters);
  }

  /** In a process of its own, which lives as long as the cluster. */
  private void quarantine() {
    if (quarantines != null) {
      return;
    }
    quarantines =
        new QuarantineController(
            kube,
            store,
            RuleFile.parse(RULES, "rules.toml"),
            new QuarantineOptions(NAMESPACE, false, "nvidia.com/gpu.present", "true"),
            new QuarantineMetrics(new SimpleMeterRegistry(), true),
            () -> stopped);
    quarantines.start();
  }

  TestCluster cluster() {
    return cluster;
  }

  Kube kube() {
    return kube;
  }

  Eventually eventually() {
    return cluster.eventually();
  }

  String addNode() {
    String name = cluster.addNode(prefix + (nodes.size() + 1));
    nodes.add(name);
    return name;
  }

  static HealthEvent.Builder fault(String node) {
    return TestEvents.unhealthy("").nodeName(node).entity("GPU", "0").errorCode("79");
  }

  static HealthEvent.Builder recovery(String node) {
    return TestEvents.healthy("").nodeName(node);
  }

  String send(HealthEvent.Builder event) {
    return store.append(List.of(event.build())).ids().getFirst();
  }

  /** As the drainer writes it at its end. */
  void drained(String id) {
    store.update(
        id,
        StatusUpdate.NONE
            .eviction(HealthStatus.SUCCEEDED, "")
            .drainFinished(cluster.clock().instant()));
  }

  void eventuallyStatus(String id, String status) {
    eventually()
        .until(
            () -> store.get(id).map(event -> event.status().nodeQuarantined()).orElse("gone"),
            status::equals);
  }

  /** A fault that is quarantined and drained. */
  String quarantinedAndDrained(HealthEvent.Builder event) {
    String id = send(event);
    eventually()
        .until(() -> store.get(id).orElseThrow().status().nodeQuarantined().endsWith("uarantined"));
    drained(id);
    return id;
  }

  Optional<Boolean> remediated(String id) {
    return store.get(id).map(event -> event.status()).map(status -> status.faultRemediated());
  }

  ApiObject node(String name) {
    return ApiObject.of(kube.http().find(Resource.NODES, "", name).orElseThrow());
  }

  String label(String node) {
    return node(node).labels().getOrDefault("dgxc.nvidia.com/nvsentinel-state", "");
  }

  boolean isCordoned(String node) {
    return node(node).spec().path("unschedulable").asBoolean(false);
  }

  List<ApiObject> list(Resource resource) {
    return kube.http().readAll("objects", resource.all(), ApiObject::of);
  }

  ApiObject only(Resource resource) {
    eventually().until(() -> list(resource).size(), count -> count == 1);
    return list(resource).getFirst();
  }

  /** As a controller writes it. */
  void condition(Resource resource, String name, String type, String status) {
    ApiObject object =
        list(resource).stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    ArrayNode conditions =
        object
            .conditions()
            .with(
                new Conditions.Condition(type, status, "Test", "by the test"),
                cluster.clock().instant());
    change(resource, object, patch -> patch.status(each -> each.set("conditions", conditions)));
  }

  void change(Resource resource, ApiObject object, Consumer<Patch> change) {
    Patch patch = Patch.sameUid(resource, object);
    change.accept(patch);
    var _ = patch.send(kube.http());
  }

  JsonNode journal(String node) {
    try {
      return Json.read(node(node).annotations().getOrDefault("drydock.dev/remediation", "{}"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reasons of Events about a node. */
  List<String> events(String node) {
    List<String> reasons = new ArrayList<>();
    var _ =
        kube.http()
            .list(
                Resource.EVENTS.all(),
                event -> {
                  if (text(event.path("involvedObject"), "name").equals(node)) {
                    reasons.add(text(event, "reason"));
                  }
                });
    return reasons;
  }

  /** Nodes that stay in quarantine would count for the breakers of others on the same cluster. */
  @Override
  public void close() {
    if (quarantines != null) {
      quarantines.close();
    }
    nodes.forEach(node -> cluster.client().nodes().withName(node).delete());
    cluster.close();
  }
}
