package dev.drydock.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.contracts.lifecycle.compat.CompatLifecycleEvent;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.hold.HoldsAnnotation;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Source;
import dev.drydock.kube.Watch;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.lifecycle.api.LifecycleNodeObject;
import dev.drydock.lifecycle.api.TransitionHistory;
import dev.drydock.lifecycle.claim.Claimer;
import dev.drydock.lifecycle.decide.SlaPolicy;
import dev.drydock.lifecycle.driver.DriverNaming;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testkit.TestCluster;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Nodes with agents, and people who create LifecycleEvents by kubectl, as the README has it. */
public final class LifecycleFixture implements AutoCloseable {
  public static final String DRAIN = "drain.slm.k8s.io";
  public static final String UNCORDON = "drain.slm.k8s.io-uncordon";

  public final String namespace;
  private final TestCluster cluster;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final Map<String, Path> folders = new ConcurrentHashMap<>();
  private final List<String> transitions = new ArrayList<>();
  private int nodes;

  public LifecycleFixture(TestCluster cluster, String namespace) {
    this(cluster, namespace, CrdCatalog.yaml(CrdCatalog.COMPATIBLE));
    eventually()
        .ignoreExceptions()
        .until(() -> cluster.client().resources(CompatLifecycleEvent.class).list() != null);
  }

  /** With these definitions besides our own. */
  LifecycleFixture(TestCluster cluster, String namespace, String definitions) {
    this.cluster = cluster;
    this.namespace = namespace;
    apply(CrdCatalog.yaml(CrdCatalog.KINDS));
    apply(definitions);
  }

  public static ConditionFactory eventually() {
    // A process that dies in a test throws on its own threads.
    return Awaitility.await()
        .dontCatchUncaughtExceptions()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(30));
  }

  public TestCluster cluster() {
    return cluster;
  }

  public void apply(String manifest) {
    var _ = cluster.kubectl(manifest, "apply", "--server-side", "-f", "-").output();
  }

  public CommandResult kubectl(String... arguments) {
    return cluster.kubectl("", arguments);
  }

  public String node() {
    return cluster.addNode(namespace + "-" + ++nodes);
  }

  /** Folders of a node's kubelet; their names are short, as those of sockets have to be. */
  private Path folder(String node) {
    return folders.computeIfAbsent(
        node,
        _ -> {
          try {
            return Files.createTempDirectory("pier");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  public AgentSettings settings(String node) {
    Path folder = folder(node);
    return AgentSettings.usual(
        node, namespace, folder.resolve("plugins"), folder.resolve("registry"));
  }

  public Agent agent(String node) {
    return agent(node, settings -> settings, RequestInterceptor.NONE);
  }

  public Agent agent(String node, UnaryOperator<AgentSettings> with, RequestInterceptor hook) {
    return agent(with.apply(settings(node)), hook, Clock.systemUTC());
  }

  Agent agent(AgentSettings settings, RequestInterceptor hook, Clock clock) {
    KubernetesClient client = new KubernetesClientBuilder().withConfig(cluster.config()).build();
    open.add(client);
    try {
      Agent agent = Agent.start(client, settings, hook, Claimer.Outcomes.NONE, clock);
      open.add(agent);
      return agent;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static UnaryOperator<AgentSettings> atSla(SlaPolicy policy) {
    return usual -> changed(usual, usual.identity(), usual.generations(), policy, usual.claims());
  }

  /** One that only claims; it serves a driver by a name that nobody asks for. */
  static UnaryOperator<AgentSettings> onlyClaiming(String identity) {
    return usual ->
        changed(
            usual,
            identity,
            List.of(DriverNaming.first(identity)),
            usual.atSla(),
            AgentSettings.Claims.ALWAYS);
  }

  static UnaryOperator<AgentSettings> onlyDriving() {
    return usual ->
        changed(usual, "driver", usual.generations(), usual.atSla(), AgentSettings.Claims.NEVER);
  }

  static AgentSettings keepingCancelled(AgentSettings usual) {
    return new AgentSettings(
        usual.node(),
        usual.cordNamespace(),
        usual.identity(),
        usual.generations(),
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

  private static AgentSettings changed(
      AgentSettings usual,
      String identity,
      List<DriverNaming> generations,
      SlaPolicy policy,
      AgentSettings.Claims claims) {
    return new AgentSettings(
        usual.node(),
        usual.cordNamespace(),
        identity,
        generations,
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
    var _ =
        kubectl("delete", "--ignore-not-found", "lifecycletransitions.lifecycle.k8s.io", name)
            .output();
  }

  /** Does not wait until it is gone. */
  public void delete(String event) {
    var _ = kubectl("delete", "--wait=false", "lifecycleevents.lifecycle.k8s.io", event).output();
  }

  /** Where drains of the engine could be, to hold nodes for others. */
  public DrainEngine engine() {
    DrainEngine engine = DrainEngine.of(cluster.client());
    open.add(engine);
    return engine;
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
    KubeHttp http = new KubeHttp(cluster.client(), RequestInterceptor.NONE, 0);
    Watch<LifecycleNodeObject> watch =
        new Kube(http, TimeSource.REAL)
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
                Backoff.USUAL);
    open.add(http);
    open.add(watch);
    watch.start();
    eventually().until(() -> watch.state().unsynced().isEmpty());
    return seen;
  }

  /** A running pod without a controller. */
  public void pod(String name, String node) {
    cluster
        .client()
        .pods()
        .inNamespace(namespace)
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .withTerminationGracePeriodSeconds(1L)
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .endContainer()
                .endSpec()
                .build())
        .create();
    eventually()
        .until(
            () ->
                pods(node).stream()
                    .filter(pod -> pod.getMetadata().getName().equals(name))
                    .anyMatch(pod -> pod.getStatus().getPhase().equals("Running")));
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
              String generation =
                  kubectl(
                          "get",
                          "pdb",
                          app,
                          "-n",
                          namespace,
                          "-o",
                          "jsonpath={.status.observedGeneration}")
                      .output();
              return !generation.isEmpty();
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
    folders.values().forEach(LifecycleFixture::remove);
    cluster.close();
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
