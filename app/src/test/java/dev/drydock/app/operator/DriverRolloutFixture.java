package dev.drydock.app.operator;

import static dev.drydock.kube.Fields.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Delete;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Patch;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import dev.drydock.serve.feature.Features;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.tls.WebhookConfiguration;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A CXIDriver on simulated nodes, with a whole operator that can be killed. */
final class DriverRolloutFixture implements AutoCloseable {
  static final Resource DRIVERS = Resource.cluster("cxi.hpe.com", "v1", "cxidrivers", "CXIDriver");
  static final Resource CAMPAIGNS =
      Resource.cluster("drydock.dev", "v1alpha1", "maintenancecampaigns", "MaintenanceCampaign");

  private static final Resource NAMESPACES = Resource.cluster("", "v1", "namespaces", "Namespace");
  static final Resource CLASSES =
      Resource.cluster("drydock.dev", "v1alpha1", "maintenanceclasses", "MaintenanceClass");

  static final Resource INJECTORS = WebhookConfiguration.mutating("").resource();

  private static final List<Resource> KINDS =
      List.of(
          WebhookConfiguration.validating("").resource(),
          DRIVERS,
          CAMPAIGNS,
          CLASSES,
          NAMESPACES,
          StandInDriverAgents.MAINTENANCES,
          Resource.PODS,
          Resource.NODES);

  private final TestCluster test;
  private final String namespace;
  private final Map<Setting<?>, String> settings;
  private final boolean virtual;
  private final TestProcess observer;
  private final Watch<ApiObject> watched;
  final StandInDriverAgents agents;
  private @Nullable TestProcess operator;
  private final AtomicLong writes = new AtomicLong();
  private volatile long failingWrite = -1;
  private volatile Runnable meanwhile = () -> {};

  /** Nodes out of service right now, and the most there ever were. */
  private final Set<String> out = new HashSet<>();

  private final Map<String, Instant> outSince = new HashMap<>();
  private Duration outOfService = Duration.ZERO;

  private int mostOut;

  /** The most nodes of one switch that ever were out of service at once. */
  private int mostOfOneSwitch;

  private final Map<String, String> switches = new HashMap<>();

  private DriverRolloutFixture(
      TestCluster test,
      String namespace,
      int nodes,
      Duration install,
      Map<Setting<?>, String> settings,
      boolean virtual,
      boolean standIn) {
    this.test = test;
    this.namespace = namespace;
    this.settings = settings;
    this.virtual = virtual;
    observer = test.process();
    test.define(CrdCatalog.yaml());
    if (virtual) {
      create("{apiVersion: v1, kind: Namespace, metadata: {name: " + namespace + "}}");
    }
    var _ =
        test.addNodes(
            nodes,
            namespace + "-node-",
            NodeTemplate.DEFAULT.withLabel("cxi", namespace).withCapacity("hpe.com/cxi", "100"));
    watched =
        observer
            .kube()
            .watches()
            .of(Watch.Kind.of(Resource.NODES.all(), ApiObject::of), new OutOfService());
    var _ = watched.start();
    // in another namespace it finds nothing to do
    agents =
        new StandInDriverAgents(
            test.process().kube(), standIn ? namespace : namespace + "-none", install);
    startOperator();
  }

  /** In virtual time. */
  static DriverRolloutFixture simulated(int nodes, Map<Setting<?>, String> settings) {
    TestCluster test = TestCluster.simulated();
    String namespace = "slingshot-system";
    return new DriverRolloutFixture(
        test, namespace, nodes, Duration.ofSeconds(40), settings, true, true);
  }

  /** In virtual time, with the agents that the test starts. */
  static DriverRolloutFixture simulatedWithoutAgents(int nodes) {
    return new DriverRolloutFixture(
        TestCluster.simulated(), "slingshot-system", nodes, Duration.ZERO, Map.of(), true, false);
  }

  RealDriverAgents realAgents(Path folder) {
    return new RealDriverAgents(test, namespace, folder);
  }

  static DriverRolloutFixture simulated(int nodes) {
    return simulated(nodes, Map.of());
  }

  /** On a real API server, whose other nodes are not touched. */
  static DriverRolloutFixture real(ControlPlane cluster, String namespace, int nodes) {
    return new DriverRolloutFixture(
        TestCluster.real(cluster), namespace, nodes, Duration.ofMillis(100), Map.of(), false, true);
  }

  boolean isOurs(ApiObject node) {
    return namespace.equals(node.labels().get("cxi"));
  }

  String namespace() {
    return namespace;
  }

  private final class OutOfService implements Watch.Listener<ApiObject> {
    @Override
    public void changed(@Nullable ApiObject before, @Nullable ApiObject after) {
      synchronized (out) {
        note(before, after);
      }
    }

    private void note(@Nullable ApiObject before, @Nullable ApiObject after) {
      if (before != null) {
        out.remove(before.name());
      }
      if (after != null && isOut(after)) {
        out.add(after.name());
      }
      mostOut = Math.max(mostOut, out.size());
      if (after != null && out.contains(after.name())) {
        outSince.putIfAbsent(after.name(), now());
      } else if (before != null && outSince.containsKey(before.name())) {
        Instant since = Objects.requireNonNull(outSince.remove(before.name()));
        outOfService = outOfService.plus(Duration.between(since, now()));
      }
      if (after != null && after.labels().containsKey(CxiNames.FIRST_SWITCH)) {
        switches.put(after.name(), after.labels().get(CxiNames.FIRST_SWITCH));
      }
      Map<String, Integer> bySwitch = new HashMap<>();
      for (String node : out) {
        String own = switches.get(node);
        if (own != null) {
          mostOfOneSwitch = Math.max(mostOfOneSwitch, bySwitch.merge(own, 1, Integer::sum));
        }
      }
    }

    private boolean isOut(ApiObject node) {
      return isOurs(node)
          && (node.spec().path("unschedulable").asBoolean(false)
              || !node.conditions().isTrue("Ready"));
    }

    /** Of what has returned before the nodes were listed again, no change is told. */
    @Override
    public void refreshed() {
      Set<String> now = new HashSet<>();
      watched.state().items().stream().filter(this::isOut).map(ApiObject::name).forEach(now::add);
      synchronized (out) {
        out.retainAll(now);
      }
    }
  }

  void forgetMostOut() {
    synchronized (out) {
      mostOut = out.size();
    }
  }

  int mostOut() {
    synchronized (out) {
      return mostOut;
    }
  }

  /** Of all nodes together, until they returned. */
  Duration outOfService() {
    synchronized (out) {
      return outOfService;
    }
  }

  int mostOfOneSwitch() {
    synchronized (out) {
      return mostOfOneSwitch;
    }
  }

  void startOperator() {
    TestProcess process = test.process(new Counting());
    Features all = Features.load().only(List.of("slingshot"));
    Operator made =
        new Operator(
            new Operator.Setup(
                test.client(),
                RequestInterceptor.NONE,
                namespace,
                "operator",
                ConfigReader.read(
                        new ConfigReader.Given(
                            settings, Map.of(), Optional.empty(), ConfigReader.DEFAULT_FILE),
                        all,
                        all)
                    .settings(),
                all),
            process.kube());
    made.parts().forEach(part -> part.start());
    made.lead();
    operator = process;
  }

  private final class Counting implements RequestInterceptor {
    @Override
    public void before(ApiCall call) {
      switch (call.verb()) {
        case CREATE, PATCH, DELETE -> {
          if (writes.incrementAndGet() == failingWrite) {
            meanwhile.run();
            throw new ApiFailure(0, "cut off");
          }
        }
        case GET, LIST, WATCH -> {}
      }
    }

    @Override
    public void after(ApiCall call, int code) {}
  }

  /** The operator's next write but that many fails; before it is tried again, something happens. */
  void failWrite(int number, Runnable meanwhile) {
    this.meanwhile = meanwhile;
    failingWrite = writes.get() + number + 1;
  }

  long writes() {
    return writes.get();
  }

  void killOperator() {
    if (operator != null) {
      operator.kill();
    }
  }

  Kube kube() {
    return observer.kube();
  }

  /** Long enough for anything, in virtual time and on a real cluster. */
  Eventually eventually() {
    Eventually usual = test.eventually();
    return virtual ? usual.atMost(Duration.ofHours(3)) : usual.atMost(Duration.ofMinutes(5));
  }

  void pass(Duration time) {
    test.pass(time);
  }

  Instant now() {
    return test.clock().instant();
  }

  void create(String yaml) {
    try {
      ObjectNode object = (ObjectNode) new YAMLMapper().readTree(yaml);
      Resource resource =
          KINDS.stream()
              .filter(each -> each.kind().equals(text(object, "kind")))
              .findFirst()
              .orElseThrow();
      var _ =
          kube()
              .http()
              .send(
                  ApiCall.create(
                      resource.collection(text(object.path("metadata"), "namespace")),
                      object.toString()))
              .orThrow(yaml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A driver that is built, named so that its version is seen. */
  void driver(String name, String version, String more) {
    create(
        """
        apiVersion: cxi.hpe.com/v1
        kind: CXIDriver
        metadata: {name: %s}
        spec:
          version: %s
          source: {type: dkms, dkms: {tag: release/shs-1}}
          nodeSelector: {cxi: %s}
          updateStrategy: {maxUnavailable: 10%%}
          %s
        """
            .formatted(name, version, namespace, more));
  }

  void change(String name, Consumer<ObjectNode> spec) {
    var _ = Patch.sameUid(DRIVERS, get(DRIVERS, "", name)).spec(spec).send(kube().http());
  }

  /** Changes a part of the spec, given as YAML, and waits until the operator has seen it. */
  void update(String name, String part) {
    try {
      ObjectNode changed = (ObjectNode) new YAMLMapper().readTree(part);
      change(name, spec -> spec.setAll(changed));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long generation = get(DRIVERS, "", name).generation();
    eventually()
        .until(
            () ->
                get(DRIVERS, "", name).status().path("observedGeneration").asLong() == generation);
  }

  ApiObject get(Resource resource, String namespace, String name) {
    return find(resource, namespace, name).orElseThrow();
  }

  Optional<ApiObject> find(Resource resource, String namespace, String name) {
    return kube().http().find(resource, namespace, name).map(ApiObject::of);
  }

  /** The nodes of the test. */
  List<ApiObject> nodes() {
    return list(Resource.NODES).stream().filter(this::isOurs).toList();
  }

  /** The pod of a node's driver agent. */
  ApiObject agent(String node) {
    return kube().http().readAll("pods", Resource.PODS.in(namespace), ApiObject::of).stream()
        .filter(pod -> "driver-agent".equals(pod.labels().get(CxiNames.COMPONENT)))
        .filter(pod -> !pod.deleted() && text(pod.spec(), "nodeName").equals(node))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no driver agent on " + node));
  }

  void delete(Resource resource, ApiObject object) {
    Delete.sameUid(resource, object).send(kube().http());
  }

  /** How far a node's update is, as its annotation says. */
  String updateState(String node) {
    return get(Resource.NODES, "", node).annotations().getOrDefault(CxiNames.UPDATE_STATE, "");
  }

  void cordon(String node, boolean cordoned) {
    var _ =
        Patch.sameUid(Resource.NODES, get(Resource.NODES, "", node))
            .spec(spec -> spec.put("unschedulable", cordoned))
            .send(kube().http());
  }

  /** The machine hangs, or is back; returns when its node is known to be so. */
  void silence(String node, boolean silent) {
    var _ =
        Patch.sameUid(Resource.NODES, get(Resource.NODES, "", node))
            .annotation("sim.drydock.dev/silent", silent ? "true" : null)
            .send(kube().http());
    eventually().until(() -> get(Resource.NODES, "", node).conditions().isTrue("Ready") != silent);
  }

  /** What the operator runs on them. */
  List<ApiObject> daemonSets() {
    return kube().http().readAll("daemonsets", Resource.DAEMON_SETS.in(namespace), ApiObject::of);
  }

  List<ApiObject> list(Resource resource) {
    return kube().http().readAll(resource.plural(), resource.all(), ApiObject::of);
  }

  JsonNode condition(String driver, String type) {
    return get(DRIVERS, "", driver)
        .conditions()
        .get(type)
        .orElseThrow(() -> new AssertionError("no condition " + type + "\n" + described()));
  }

  String reason(String driver, String type) {
    return text(condition(driver, type), "reason");
  }

  /** The revision that driver agents are made for now. */
  String wanted() {
    return get(Resource.DAEMON_SETS, namespace, "cxi-driver-driver-agent")
        .root()
        .path("spec")
        .path("template")
        .path("metadata")
        .path("labels")
        .path(CxiNames.REVISION_LABEL)
        .asText();
  }

  /** Nodes by the revision of their driver that is installed and verified. */
  long at(String revision) {
    return nodes().stream()
        .filter(
            node ->
                StandInDriverAgents.report(node)
                    .map(DriverReport::revision)
                    .filter(revision::equals)
                    .isPresent())
        .count();
  }

  /** For people who look for what is stuck. */
  String described() {
    StringBuilder all = new StringBuilder();
    if (operator != null) {
      operator.kube().health().degraded().forEach(line -> all.append(line).append('\n'));
    }
    list(CAMPAIGNS).forEach(each -> all.append(each.name()).append(each.status()).append('\n'));
    list(StandInDriverAgents.MAINTENANCES)
        .forEach(
            each ->
                all.append(text(each.spec(), "nodeObject"))
                    .append(' ')
                    .append(text(each.status(), "maintenanceStatus"))
                    .append(' ')
                    .append(text(each.status(), "waitingFor"))
                    .append(each.annotations())
                    .append('\n'));
    return all.toString();
  }

  long unschedulable() {
    return nodes().stream()
        .filter(node -> node.spec().path("unschedulable").asBoolean(false))
        .count();
  }

  void installed(int nodes) {
    eventually()
        .untilAsserted(
            () ->
                assertThat(
                        nodes().stream()
                            .filter(node -> StandInDriverAgents.report(node).isPresent())
                            .count())
                    .isEqualTo(nodes));
    eventually()
        .untilAsserted(() -> assertThat(reason("cxi-driver", "Available")).isEqualTo("Ready"));
  }

  @Override
  public void close() {
    killOperator();
    agents.close();
    if (!virtual) {
      removeAll();
    }
    observer.close();
    test.close();
  }

  /** Nobody serves them any more; a real cluster is also that of the next test. */
  private void removeAll() {
    for (Resource resource : List.of(StandInDriverAgents.MAINTENANCES, DRIVERS, CAMPAIGNS)) {
      for (ApiObject each : list(resource)) {
        if (!each.deleted()) {
          Delete.sameUid(resource, each).send(kube().http());
        }
        if (!each.finalizers().isEmpty()) {
          var _ = Patch.sameUid(resource, each).finalizers(List.of()).sendIfExists(kube().http());
        }
      }
    }
    list(CLASSES).forEach(each -> Delete.sameUid(CLASSES, each).send(kube().http()));
    list(StandInDriverAgents.DEVICES)
        .forEach(each -> Delete.sameUid(StandInDriverAgents.DEVICES, each).send(kube().http()));
    nodes().forEach(each -> Delete.sameUid(Resource.NODES, each).send(kube().http()));
  }
}
