package dev.drydock.health.quarantine;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.condition.ConditionController;
import dev.drydock.health.condition.ConditionMetrics;
import dev.drydock.health.decide.FaultCondition;
import dev.drydock.health.decide.TestEvents;
import dev.drydock.health.rules.QuarantineRules;
import dev.drydock.health.rules.RuleFile;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A cluster with a store, and processes that quarantine its nodes. */
final class QuarantineFixture implements AutoCloseable {
  static final String NAMESPACE = "default";

  static final String RULES =
      """
      [circuitBreaker]
      percentage = 100
      duration = "5m"
      slowAtPercentage = 100

      [[rule-sets]]
      enabled = true
      name = "fatal"
      [[rule-sets.match.all]]
      kind = "HealthEvent"
      expression = "event.isFatal"
      [[rule-sets.match.all]]
      kind = "Node"
      expression = "!('managed' in node.metadata.labels) || node.metadata.labels['managed'] != 'false'"
      [rule-sets.cordon]
      shouldCordon = true

      [[rule-sets]]
      enabled = true
      name = "nic"
      [[rule-sets.match.any]]
      kind = "HealthEvent"
      expression = "event.componentClass == 'NIC'"
      [rule-sets.taint]
      key = "nic"
      value = "broken"
      effect = "NoSchedule"
      [rule-sets.label]
      key = "network"
      value = "degraded"
      """;

  private final TestCluster cluster;
  private final String namespace;
  final MemoryEventStore store;
  private final List<String> nodes = new ArrayList<>();
  volatile Optional<String> stopped = Optional.empty();

  /** Nodes of which no test knows are being taken out of service. */
  volatile boolean cordonsOthers;

  /** What the andon cord is, the next times that somebody looks. */
  final Queue<Optional<String>> stoppedNext = new ConcurrentLinkedQueue<>();

  QuarantineFixture(TestCluster cluster, String namespace) {
    this.cluster = cluster;
    this.namespace = namespace;
    store = new MemoryEventStore(cluster.clock());
  }

  static QuarantineFixture simulated() {
    return new QuarantineFixture(TestCluster.simulated(), NAMESPACE);
  }

  /** One operator. */
  record Operator(
      TestProcess process, QuarantineController quarantines, ConditionController conditions)
      implements AutoCloseable {
    @Override
    public void close() {
      quarantines.close();
      conditions.close();
      process.close();
    }
  }

  Operator operator() {
    return operator(RULES, false, RequestInterceptor.NONE);
  }

  Operator operator(String rules, boolean dryRun, RequestInterceptor interceptor) {
    return operator(rules, dryRun, ProcessOptions.of(interceptor));
  }

  Operator operator(String rules, boolean dryRun, ProcessOptions process) {
    TestProcess own = cluster.process(process);
    QuarantineRules parsed = RuleFile.parse(rules, "rules.toml");
    QuarantineOptions options =
        new QuarantineOptions(namespace, dryRun, "nvidia.com/gpu.present", "true");
    QuarantineController quarantines =
        new QuarantineController(
            own.kube(),
            store,
            parsed,
            options,
            new QuarantineMetrics(new SimpleMeterRegistry(), true),
            () -> Objects.requireNonNullElse(stoppedNext.poll(), stopped));
    ConditionController conditions =
        new ConditionController(
            own.kube(),
            store,
            FaultCondition.Lengths.STANDARD,
            new ConditionMetrics(new SimpleMeterRegistry()),
            () -> cordonsOthers || quarantines.isBusy());
    quarantines.start();
    conditions.start();
    return new Operator(own, quarantines, conditions);
  }

  TestCluster cluster() {
    return cluster;
  }

  String addNode() {
    String name = cluster.addNode("node" + (nodes.size() + 1));
    nodes.add(name);
    return name;
  }

  static HealthEvent.Builder fault(String node) {
    return TestEvents.unhealthy("").nodeName(node).entity("GPU", "0").errorCode("79");
  }

  static HealthEvent.Builder recovery(String node) {
    return TestEvents.healthy("").nodeName(node);
  }

  /** The id that the event got. */
  String send(HealthEvent.Builder event) {
    return store.append(List.of(event.build())).ids().getFirst();
  }

  Node node(String name) {
    return cluster.client().nodes().withName(name).require();
  }

  boolean isCordoned(String name) {
    return Boolean.TRUE.equals(node(name).getSpec().getUnschedulable());
  }

  Map<String, String> annotations(String name) {
    return node(name).getMetadata().getAnnotations();
  }

  Map<String, String> labels(String name) {
    return node(name).getMetadata().getLabels();
  }

  String status(String id) {
    return store.get(id).map(event -> event.status().nodeQuarantined()).orElse("gone");
  }

  Optional<StoredEvent> stored(String id) {
    return store.get(id);
  }

  Optional<NodeCondition> condition(String node, String type) {
    return node(node).getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals(type))
        .findFirst();
  }

  void eventuallyStatus(String id, String status) {
    cluster.eventually().until(() -> status(id), status::equals);
  }

  /** Nodes that stay in quarantine would count for the breakers of others on the same cluster. */
  @Override
  public void close() {
    nodes.forEach(node -> cluster.client().nodes().withName(node).delete());
    cluster.close();
  }
}
