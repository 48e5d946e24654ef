package dev.drydock.lifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.Crds;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.contracts.lifecycle.compat.LifecycleEvent;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.CallHook;
import dev.drydock.kube.Json;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Reflector;
import dev.drydock.lifecycle.api.History;
import dev.drydock.lifecycle.api.NodeSeen;
import dev.drydock.lifecycle.claim.Claimer;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.TestCluster;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Nodes with agents, and people who create LifecycleEvents by kubectl, as the README has it. */
public final class Pier implements AutoCloseable {
  public static final String DRAIN = "drain.slm.k8s.io";
  public static final String UNCORDON = "drain.slm.k8s.io-uncordon";

  public final String namespace;
  private final TestCluster cluster;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final Map<String, Path> folders = new ConcurrentHashMap<>();
  private int nodes;

  public Pier(TestCluster cluster, String namespace) {
    this.cluster = cluster;
    this.namespace = namespace;
    apply(Crds.yaml(Crds.KINDS));
    apply(Crds.yaml(Crds.COMPATIBLE));
    eventually()
        .ignoreExceptions()
        .until(() -> cluster.client().resources(LifecycleEvent.class).list() != null);
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
    return agent(node, settings -> settings, CallHook.NONE);
  }

  public Agent agent(String node, UnaryOperator<AgentSettings> with, CallHook hook) {
    KubernetesClient client = new KubernetesClientBuilder().withConfig(cluster.config()).build();
    open.add(client);
    try {
      Agent agent = Agent.start(client, with.apply(settings(node)), hook, Claimer.Outcomes.NONE);
      open.add(agent);
      return agent;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Exactly as the README has it. */
  public void event(String name, String transition, String node) {
    apply(
        """
        apiVersion: lifecycle.k8s.io/v1alpha1
        kind: LifecycleEvent
        metadata:
          name: %s
        spec:
          transitionName: %s
          bindingNode: %s
        """
            .formatted(name, transition, node));
  }

  public Optional<LifecycleEvent> find(String event) {
    return Optional.ofNullable(
        cluster.client().resources(LifecycleEvent.class).withName(event).get());
  }

  public String claim(String event) {
    return find(event)
        .map(LifecycleEvent::getStatus)
        .map(status -> Objects.toString(status.claimStatus(), ""))
        .orElse("");
  }

  public String message(String event) {
    return find(event)
        .map(LifecycleEvent::getStatus)
        .map(status -> Objects.toString(status.message(), ""))
        .orElse("");
  }

  public void awaitGone(String event) {
    eventually().until(() -> find(event).isEmpty());
  }

  public Node read(String node) {
    return cluster.client().nodes().withName(node).get();
  }

  public boolean isCordoned(String node) {
    return Boolean.TRUE.equals(read(node).getSpec().getUnschedulable());
  }

  public History history(String node) {
    return History.read(
        Objects.toString(
            Objects.requireNonNullElse(
                    read(node).getMetadata().getAnnotations(), Map.<String, String>of())
                .get(LifecycleNames.HISTORY),
            ""));
  }

  /** How the last event of a node ended. */
  public History.Entry last(String node) {
    return history(node).entries().getLast();
  }

  /** The reasons of the node's condition, in the order they were seen, since now. */
  public List<String> reasons(String node) {
    List<String> seen = new CopyOnWriteArrayList<>();
    KubeHttp http = new KubeHttp(cluster.client(), CallHook.NONE, 0);
    Reflector<NodeSeen> watch =
        new Reflector<>(
            http,
            Reflector.Kind.of(
                new Reflector.Source("/api/v1/nodes", "fieldSelector=metadata.name%3D" + node),
                json -> {
                  NodeSeen now = NodeSeen.read(json);
                  if (!now.reason().isEmpty()
                      && (seen.isEmpty() || !seen.getLast().equals(now.reason()))) {
                    seen.add(now.reason());
                  }
                  return now;
                }),
            new Reflector.Waker<>(() -> {}),
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
    for (LifecycleEvent left : cluster.client().resources(LifecycleEvent.class).list().getItems()) {
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
    folders.values().forEach(Pier::remove);
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
