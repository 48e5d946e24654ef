package dev.drydock.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.contracts.lifecycle.compat.CompatLifecycleEvent;
import dev.drydock.contracts.lifecycle.compat.CompatLifecycleTransition;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.hold.HoldsAnnotation;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.Json;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Source;
import dev.drydock.kube.Watch;
import dev.drydock.kube.time.VirtualTime;
import dev.drydock.lifecycle.api.LifecycleNodeObject;
import dev.drydock.lifecycle.api.TransitionHistory;
import dev.drydock.lifecycle.decide.SlaPolicy;
import dev.drydock.lifecycle.driver.DriverNaming;
import dev.drydock.lifecycle.plugin.Driver;
import dev.drydock.lifecycle.plugin.PluginServer;
import dev.drydock.lifecycle.plugin.RawClient;
import dev.drydock.lifecycle.pluginregistration.RegistrationGrpc;
import dev.drydock.lifecycle.pluginregistration.RegistrationStatus;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.ShiftedTime;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** Nodes with agents, and people who create LifecycleEvents by kubectl, as the README has it. */
public final class LifecycleFixture implements AutoCloseable {
  public static final String DRAIN = "drain.slm.k8s.io";
  public static final String UNCORDON = "drain.slm.k8s.io-uncordon";

  public final String namespace;
  private final TestCluster cluster;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final Map<String, Path> folders = new ConcurrentHashMap<>();
  private final List<String> transitions = new ArrayList<>();
  private final Map<String, LocalNode> localNodes = new ConcurrentHashMap<>();

  /** How far the agents' clocks are ahead of a real cluster's. */
  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

  private int nodes;

  public LifecycleFixture(TestCluster cluster, String namespace) {
    this(cluster, namespace, CrdCatalog.yaml(CrdCatalog.COMPATIBLE));
    eventually().until(() -> cluster.client().resources(CompatLifecycleEvent.class).list() != null);
  }

  /** With these definitions besides our own. */
  LifecycleFixture(TestCluster cluster, String namespace, String definitions) {
    this.cluster = cluster;
    this.namespace = namespace;
    cluster.define(CrdCatalog.yaml());
    cluster.define(definitions);
  }

  public Eventually eventually() {
    return cluster.eventually();
  }

  public TestCluster cluster() {
    return cluster;
  }

  /** By kubectl where time is real: starting a program takes longer than what virtual time does. */
  public void apply(String manifest) {
    if (isVirtual()) {
      var _ =
          cluster
              .client()
              .load(new ByteArrayInputStream(manifest.getBytes(StandardCharsets.UTF_8)))
              .fieldManager("kubectl")
              .serverSideApply();
      return;
    }
    var _ = cluster.kubectl(manifest, "apply", "--server-side", "-f", "-").output();
  }

  public CommandResult kubectl(String... arguments) {
    return cluster.kubectl("", arguments);
  }

  /** By somebody else. */
  void cordon(String node) {
    if (isVirtual()) {
      var _ =
          cluster
              .client()
              .nodes()
              .withName(node)
              .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"unschedulable\":true}}");
      return;
    }
    var _ = kubectl("cordon", node).output();
  }

  public String node() {
    return cluster.addNode(namespace + "-" + ++nodes);
  }

  /** With a name as long as that of a node may be. */
  String nodeWithLongName() {
    return cluster.addNodeWithLongName(namespace + "-" + ++nodes);
  }

  /** Folders of a node's kubelet; their names are short, as those of sockets have to be. */
  private Path folder(String node) {
    return folders.computeIfAbsent(
        node,
        _ -> {
          try {
            return Files.createTempDirectory("slm");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  public LifecycleAgentSettings settings(String node) {
    Path folder = folder(node);
    return LifecycleAgentSettings.defaults(
        node, namespace, folder.resolve("plugins"), folder.resolve("registry"));
  }

  public TestAgent agent(String node) {
    return agent(node, settings -> settings, RequestInterceptor.NONE);
  }

  /** Where time is virtual, claimers and drivers of a node reach each other without sockets. */
  public TestAgent agent(
      String node, UnaryOperator<LifecycleAgentSettings> with, RequestInterceptor interceptor) {
    LifecycleAgentSettings settings = with.apply(settings(node));
    TestAgent agent =
        isVirtual()
            ? new LocalAgent(cluster.process(interceptor), settings, local(node))
            : new SocketAgent(
                cluster.process(
                    ProcessOptions.of(SocketAgent.requests(settings, interceptor))
                        .withTime(time -> new ShiftedTime(time, ahead))),
                settings);
    open.add(agent);
    return agent;
  }

  private boolean isVirtual() {
    return cluster.clock() instanceof VirtualTime;
  }

  private LocalNode local(String node) {
    return localNodes.computeIfAbsent(node, _ -> new LocalNode(cluster.clock()));
  }

  /** A driver of somebody else. */
  AutoCloseable serve(String node, String name, Driver driver) throws IOException {
    if (isVirtual()) {
      local(node).register(name, driver);
      return () -> local(node).unregister(name, driver);
    }
    return PluginServer.start(name, settings(node).place(), driver, (_, _) -> {});
  }

  /** What the node's kubelet says about the registration of our driver. */
  void kubeletSays(String node, boolean registered, String error) {
    if (isVirtual()) {
      local(node).kubeletSays(registered);
      return;
    }
    Path socket = settings(node).place().registrationFolder().resolve(DRAIN + "-reg.sock");
    try (RawClient kubelet = new RawClient(socket)) {
      var _ =
          RegistrationGrpc.newBlockingStub(kubelet.channel())
              .notifyRegistrationStatus(
                  RegistrationStatus.newBuilder()
                      .setPluginRegistered(registered)
                      .setError(error)
                      .build());
    } catch (StatusRuntimeException acknowledged) {
      assertThat(acknowledged)
          .as("the answer to a refusal")
          .hasMessage("UNKNOWN: registration failed: " + error);
    }
  }

  /** As much as it takes until the event is gone. */
  void passTime(String node, String event) {
    if (isVirtual()) {
      awaitGone(event);
      return;
    }
    for (int turn = 0; find(event).isPresent(); turn++) {
      assertThat(turn).isLessThan(300);
      pass(node, Duration.ofSeconds(16));
    }
  }

  /** Lets time pass for the agents of a node. */
  void pass(String node, Duration time) {
    if (isVirtual()) {
      cluster.pass(time);
      return;
    }
    Duration now = ahead.accumulateAndGet(time, Duration::plus);
    // the claimer hears of it by changes of the node
    var _ = kubectl("label", "node", node, "--overwrite", "ahead=" + now).output();
    cluster.pass(Duration.ofMillis(200));
  }

  static UnaryOperator<LifecycleAgentSettings> atSla(SlaPolicy policy) {
    return usual -> changed(usual, usual.identity(), usual.driverNames(), policy, usual.claims());
  }

  /** One that only claims; it serves a driver by a name that nobody asks for. */
  static UnaryOperator<LifecycleAgentSettings> onlyClaiming(String identity) {
    return usual ->
        changed(
            usual,
            identity,
            List.of(DriverNaming.first(identity)),
            usual.atSla(),
            LifecycleAgentSettings.Claims.ALWAYS);
  }

  static UnaryOperator<LifecycleAgentSettings> onlyDriving() {
    return usual ->
        changed(
            usual,
            "driver",
            usual.driverNames(),
            usual.atSla(),
            LifecycleAgentSettings.Claims.NEVER);
  }

  static LifecycleAgentSettings keepingCancelled(LifecycleAgentSettings usual) {
    return new LifecycleAgentSettings(
        usual.node(),
        usual.cordNamespace(),
        usual.identity(),
        usual.driverNames(),
        usual.place(),
        usual.sla(),
        usual.evictionTimeout(),
        usual.gracePeriodSeconds(),
        usual.qps(),
        usual.burst(),
        usual.atSla(),
        false,
        usual.claims());
  }

  private static LifecycleAgentSettings changed(
      LifecycleAgentSettings usual,
      String identity,
      List<DriverNaming> driverNames,
      SlaPolicy policy,
      LifecycleAgentSettings.Claims claims) {
    return new LifecycleAgentSettings(
        usual.node(),
        usual.cordNamespace(),
        identity,
        driverNames,
        usual.place(),
        usual.sla(),
        usual.evictionTimeout(),
        usual.gracePeriodSeconds(),
        usual.qps(),
        usual.burst(),
        policy,
        usual.uncordonWhenCancelled(),
        claims);
  }

  /** A drain by a name of its own, with the nodes it is for and its time in the words of YAML. */
  public void transition(String name, String more) {
    transition(name, DRAIN, more);
  }

  public void transition(String name, String driver, String more) {
    transitions.add(name);
    apply(
        """
        apiVersion: lifecycle.k8s.io/v1alpha1
        kind: LifecycleTransition
        metadata: {name: %s}
        spec: {start: drain-started, end: drain-complete, driver: %s, %s}
        """
            .formatted(name, driver, more));
  }

  public void deleteTransition(String name) {
    if (isVirtual()) {
      var _ = cluster.client().resources(CompatLifecycleTransition.class).withName(name).delete();
      return;
    }
    var _ =
        kubectl("delete", "--ignore-not-found", "lifecycletransitions.lifecycle.k8s.io", name)
            .output();
  }

  /** Does not wait until it is gone. */
  public void delete(String event) {
    if (isVirtual()) {
      var _ = cluster.client().resources(CompatLifecycleEvent.class).withName(event).delete();
      return;
    }
    var _ = kubectl("delete", "--wait=false", "lifecycleevents.lifecycle.k8s.io", event).output();
  }

  /** Where drains of the engine could be, to hold nodes for others. */
  public DrainEngine engine() {
    DrainEngine engine = new DrainEngine(process().kube(), DrainEngine.Options.DEFAULT);
    open.add(engine);
    return engine;
  }

  private TestProcess process() {
    TestProcess process = cluster.process();
    open.add(process);
    return process;
  }

  public Set<String> holders(String node) {
    return HoldsAnnotation.read(node, annotation(node, HoldsAnnotation.NAME), isCordoned(node))
        .byHolder()
        .keySet();
  }

  private Optional<String> annotation(String node, String name) {
    return Optional.ofNullable(read(node).getMetadata().getAnnotations()).map(all -> all.get(name));
  }

  /** Why the Node was talked about by Events. */
  public List<String> told(String node) {
    return cluster.client().events().v1().events().inAnyNamespace().list().getItems().stream()
        .filter(event -> event.getRegarding() != null)
        .filter(event -> node.equals(event.getRegarding().getName()))
        .map(event -> event.getReason() + ": " + event.getNote())
        .toList();
  }

  /** Exactly as the README has it. */
  public void event(String name, String transition, String node) {
    event(LifecycleNames.COMPAT_GROUP, name, transition, node);
  }

  public void event(String group, String name, String transition, String node) {
    apply(
        """
        apiVersion: %s/v1alpha1
        kind: LifecycleEvent
        metadata:
          name: %s
        spec:
          transitionName: %s
          bindingNode: %s
        """
            .formatted(group, name, transition, node));
  }

  public Optional<CompatLifecycleEvent> find(String event) {
    return Optional.ofNullable(
        cluster.client().resources(CompatLifecycleEvent.class).withName(event).get());
  }

  public String claim(String event) {
    return find(event)
        .map(CompatLifecycleEvent::getStatus)
        .map(status -> Objects.toString(status.claimStatus(), ""))
        .orElse("");
  }

  public String message(String event) {
    return find(event)
        .map(CompatLifecycleEvent::getStatus)
        .map(status -> Objects.toString(status.message(), ""))
        .orElse("");
  }

  public void awaitGone(String event) {
    eventually().until(() -> find(event).isEmpty());
  }

  public Node read(String node) {
    return cluster.client().nodes().withName(node).get();
  }

  /** That tells where the node's transition stands. */
  public Optional<NodeCondition> condition(String node) {
    return read(node).getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals(LifecycleNames.CONDITION))
        .findFirst();
  }

  public boolean isGoing(Pod pod) {
    return pod.getMetadata().getDeletionTimestamp() != null;
  }

  public boolean isCordoned(String node) {
    return Boolean.TRUE.equals(read(node).getSpec().getUnschedulable());
  }

  public TransitionHistory history(String node) {
    return TransitionHistory.read(annotation(node, LifecycleNames.HISTORY).orElse(""));
  }

  /** How the last event of a node ended. */
  public TransitionHistory.Entry last(String node) {
    return history(node).entries().getLast();
  }

  /** The reasons of the node's condition, in the order they were seen, since now. */
  public List<String> reasons(String node) {
    List<String> seen = new CopyOnWriteArrayList<>();
    Watch<LifecycleNodeObject> watch =
        process()
            .kube()
            .watches()
            .of(
                Watch.Kind.of(
                    new Source("/api/v1/nodes", "fieldSelector=metadata.name%3D" + node),
                    json -> {
                      LifecycleNodeObject now = LifecycleNodeObject.read(json);
                      if (!now.reason().isEmpty()
                          && (seen.isEmpty() || !seen.getLast().equals(now.reason()))) {
                        seen.add(now.reason());
                      }
                      return now;
                    }),
                Watch.Listener.waking(() -> {}),
                Backoff.DEFAULT);
    open.add(watch);
    watch.start();
    eventually().until(() -> watch.state().unsynced().isEmpty());
    return seen;
  }

  /** A running pod without a controller. */
  public void pod(String name, String node) {
    cluster.runPod(namespace, name, node);
  }

  /** A budget for one app that lets nothing go until it is deleted. */
  public void budget(String app) {
    apply(
        """
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: %s, namespace: %s}
        spec: {maxUnavailable: 0, selector: {matchLabels: {app: %s}}}
        """
            .formatted(app, namespace, app));
    eventually()
        .until(
            () -> {
              PodDisruptionBudget seen =
                  cluster
                      .client()
                      .policy()
                      .v1()
                      .podDisruptionBudget()
                      .inNamespace(namespace)
                      .withName(app)
                      .get();
              return seen.getStatus() != null && seen.getStatus().getObservedGeneration() != null;
            });
  }

  public List<Pod> pods(String node) {
    return cluster
        .client()
        .pods()
        .inAnyNamespace()
        .withField("spec.nodeName", node)
        .list()
        .getItems();
  }

  public JsonNode json(String text) {
    try {
      return Json.read(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    for (AutoCloseable each : open.reversed()) {
      try {
        each.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    folders.values().forEach(LifecycleFixture::remove);
    if (!isVirtual()) {
      tidy();
    }
    cluster.close();
  }

  /** A real cluster is there for other tests as well. */
  private void tidy() {
    for (CompatLifecycleEvent left :
        cluster.client().resources(CompatLifecycleEvent.class).list().getItems()) {
      if (folders.containsKey(left.getSpec().bindingNode())) {
        var _ =
            kubectl(
                "patch",
                "lifecycleevents.lifecycle.k8s.io",
                left.getMetadata().getName(),
                "--type=merge",
                "-p",
                "{\"metadata\":{\"finalizers\":null}}");
        var _ =
            kubectl(
                "delete",
                "--ignore-not-found",
                "lifecycleevents.lifecycle.k8s.io",
                left.getMetadata().getName());
      }
    }
    transitions.forEach(this::deleteTransition);
  }

  private static void remove(Path folder) {
    try (var files = Files.walk(folder)) {
      for (Path each : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
