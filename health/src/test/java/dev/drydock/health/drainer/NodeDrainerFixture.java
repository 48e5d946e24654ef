package dev.drydock.health.drainer;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.health.decide.TestEvents;
import dev.drydock.health.quarantine.MemoryEventStore;
import dev.drydock.health.quarantine.QuarantineController;
import dev.drydock.health.quarantine.QuarantineMetrics;
import dev.drydock.health.quarantine.QuarantineOptions;
import dev.drydock.health.rules.RuleFile;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A cluster with a store, and processes that quarantine and drain its nodes. */
final class NodeDrainerFixture implements AutoCloseable {
  static final String STATE = "dgxc.nvidia.com/nvsentinel-state";
  static final String IMMEDIATE = "[[userNamespaces]]\nname = \"*\"\nmode = \"Immediate\"\n";
  static final Path CRD =
      Path.of("..", "deploy", "crds", "drainrequests.nvsentinel.nvidia.com-v1.yaml");

  private static final String RULES =
      """
      [circuitBreaker]
      percentage = 100
      minimumNodes = 1000
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

  private static final AtomicInteger FIXTURES = new AtomicInteger();

  private final TestCluster cluster;
  private final String namespace;
  private final Path folder;
  private final String prefix;
  private final List<String> nodes = new ArrayList<>();
  final MemoryEventStore store;
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  /** On a cluster that others use, too: nodes have names of their own. */
  NodeDrainerFixture(TestCluster cluster, String namespace) {
    this(cluster, namespace, "drainer-%d-".formatted(FIXTURES.incrementAndGet()));
  }

  private NodeDrainerFixture(TestCluster cluster, String namespace, String prefix) {
    this.cluster = cluster;
    this.prefix = prefix;
    this.namespace = namespace;
    store = new MemoryEventStore(cluster.clock());
    try {
      folder = Files.createTempDirectory("drydock-drainer-");
      Files.writeString(
          folder.resolve("drain-template.yaml"),
          NodeDrainerFileTest.published("drain-template.yaml"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    namespace("apps");
  }

  static NodeDrainerFixture simulated() {
    return simulated(SimulatedCluster.Settings.defaults());
  }

  static NodeDrainerFixture simulated(SimulatedCluster.Settings settings) {
    return new NodeDrainerFixture(TestCluster.simulated(settings), "default", "node");
  }

  /** With DrainRequests, in the namespace of the published configuration. */
  static NodeDrainerFixture withDrainRequests() {
    NodeDrainerFixture fixture = simulated();
    fixture.define(CRD);
    fixture.namespace("nvsentinel");
    return fixture;
  }

  void define(Path crd) {
    try {
      cluster.define(Files.readString(crd));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the README of the original's demo prints. */
  String published() {
    try {
      return NodeDrainerFileTest.published("node-drainer.toml")
          .replace("/etc/drain-template", folder.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void template(String text) {
    try {
      Files.writeString(folder.resolve("drain-template.yaml"), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One operator with parts health and node-drainer. */
  record Operator(Drainer drains, QuarantineController quarantines) implements AutoCloseable {
    TestProcess process() {
      return drains.process();
    }

    DrainEngine engine() {
      return drains.engine();
    }

    NodeDrainerController drainer() {
      return drains.controller();
    }

    @Override
    public void close() {
      quarantines.close();
      drains.close();
    }
  }

  /** A process that drains. */
  record Drainer(TestProcess process, DrainEngine engine, NodeDrainerController controller)
      implements AutoCloseable {
    @Override
    public void close() {
      engine.close();
      controller.close();
      process.close();
    }
  }

  Operator operator(String toml) {
    return operator(toml, ProcessOptions.of(RequestInterceptor.NONE), false);
  }

  Operator operator(String toml, RequestInterceptor interceptor) {
    return operator(toml, ProcessOptions.of(interceptor), false);
  }

  Operator operator(String toml, ProcessOptions options, boolean dryRun) {
    Drainer drains = drainer(toml, options, dryRun);
    return new Operator(drains, quarantines(drains.process()));
  }

  /** In a process of its own, or in one that also drains. */
  QuarantineController quarantines(TestProcess process) {
    QuarantineController quarantines =
        new QuarantineController(
            process.kube(),
            store,
            RuleFile.parse(RULES, "rules.toml"),
            new QuarantineOptions(namespace, false, "nvidia.com/gpu.present", "true"),
            new QuarantineMetrics(meters, true),
            Optional::empty);
    quarantines.start();
    return quarantines;
  }

  Drainer drainer(String toml, ProcessOptions options, boolean dryRun) {
    TestProcess own = cluster.process(options);
    DrainEngine engine = new DrainEngine(own.kube());
    NodeDrainerConfig config = NodeDrainerFile.parse(toml, "drainer.toml");
    NodeDrainerController controller =
        new NodeDrainerController(
            engine,
            () -> store,
            config,
            new NodeDrainerController.Options(namespace, dryRun),
            new NodeDrainerMetrics(meters, true, config.entityMetric()));
    engine.onClose(controller::close);
    controller.start();
    return new Drainer(own, engine, controller);
  }

  TestCluster cluster() {
    return cluster;
  }

  String addNode() {
    String name = cluster.addNode(prefix + (nodes.size() + 1));
    nodes.add(name);
    return name;
  }

  void namespace(String name) {
    cluster
        .client()
        .namespaces()
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .serverSideApply();
  }

  /** A pod without a controller, which stops at once when it is deleted. */
  Pod pod(String node, String name) {
    return pod(node, "apps", name, _ -> {});
  }

  Pod pod(String node, String in, String name, Consumer<PodBuilder> more) {
    PodBuilder pod =
        new PodBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(in)
            .addToLabels("app", name)
            .endMetadata()
            .withNewSpec()
            .withNodeName(node)
            .addNewContainer()
            .withName("main")
            .withImage("none")
            .endContainer()
            .endSpec();
    more.accept(pod);
    Pod made = cluster.client().resource(pod.build()).create();
    cluster
        .eventually()
        .until(
            () ->
                "Running".equals(cluster.client().resource(made).require().getStatus().getPhase()));
    return made;
  }

  static Consumer<PodBuilder> annotated(String key, String value) {
    return pod -> pod.editMetadata().addToAnnotations(key, value).endMetadata();
  }

  List<String> pods(String node) {
    return cluster.client().pods().inAnyNamespace().list().getItems().stream()
        .filter(pod -> node.equals(pod.getSpec().getNodeName()))
        .map(pod -> pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName())
        .sorted()
        .toList();
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

  String state(String name) {
    return node(name).getMetadata().getLabels().getOrDefault(STATE, "");
  }

  Optional<NodeDrainRecord> record(String name) {
    return NodeDrainRecord.read(
        node(name).getMetadata().getAnnotations().getOrDefault(NodeDrainerNames.RECORD, ""));
  }

  String holds(String name) {
    return node(name).getMetadata().getAnnotations().getOrDefault("drydock.dev/holds", "");
  }

  String drain(String id) {
    return store.get(id).orElseThrow().status().userPodsEvictionStatus().status();
  }

  String message(String id) {
    return store.get(id).orElseThrow().status().userPodsEvictionStatus().message();
  }

  void write(String id, StatusUpdate update) {
    store.update(id, update);
  }

  void eventuallyDrain(String id, String status) {
    cluster.eventually().until(() -> drain(id), status::equals);
  }

  /** Messages of Events about the node with this reason. */
  List<String> events(String node, String reason) {
    return allEvents(node).stream()
        .filter(event -> reason.equals(event.getReason()))
        .map(Event::getMessage)
        .toList();
  }

  List<Event> allEvents(String node) {
    return cluster.client().v1().events().inNamespace("default").list().getItems().stream()
        .filter(event -> node.equals(event.getInvolvedObject().getName()))
        .toList();
  }

  double count(String meter, String... tags) {
    return meters.getMeters().stream()
        .filter(each -> each.getId().getName().equals(meter))
        .filter(each -> has(each, tags))
        .flatMap(each -> StreamSupport.stream(each.measure().spliterator(), false))
        .mapToDouble(measurement -> measurement.getValue())
        .sum();
  }

  private static boolean has(Meter meter, String... tags) {
    for (int i = 0; i < tags.length; i += 2) {
      if (!tags[i + 1].equals(meter.getId().getTag(tags[i]))) {
        return false;
      }
    }
    return true;
  }

  /** The DrainRequests that there are. */
  List<GenericKubernetesResource> requests() {
    return resources("nvsentinel.nvidia.com/v1alpha1", "DrainRequest");
  }

  List<GenericKubernetesResource> resources(String apiVersion, String kind) {
    return cluster
        .client()
        .genericKubernetesResources(apiVersion, kind)
        .inAnyNamespace()
        .list()
        .getItems()
        .stream()
        .sorted(Comparator.comparing(each -> each.getMetadata().getName()))
        .toList();
  }

  GenericKubernetesResource onlyRequest() {
    cluster.eventually().until(() -> requests().size() == 1);
    return requests().getFirst();
  }

  /** As a plugin does. */
  void report(GenericKubernetesResource resource, String type, String message) {
    String patch =
        """
        {"status": {"conditions": [{"type": "%s", "status": "True", "reason": "Said",
          "message": "%s", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}
        """
            .formatted(type, message);
    cluster
        .client()
        .resource(resource)
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  Map<String, String> annotations(GenericKubernetesResource resource) {
    return resource.getMetadata().getAnnotations();
  }

  /** Nodes that stay in quarantine would count for the breakers of others on the same cluster. */
  @Override
  public void close() {
    nodes.forEach(node -> cluster.client().nodes().withName(node).delete());
    cluster.close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
