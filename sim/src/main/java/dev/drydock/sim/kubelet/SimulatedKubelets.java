package dev.drydock.sim.kubelet;

import dev.drydock.kube.time.TimeSource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * Kubelets for any number of nodes on a real API server: they register nodes, send heartbeats, run
 * the pods bound to them and end deleted pods, as their {@link Knob}s say. All state is in the API,
 * so another instance that registers the same names continues where this one stopped. Thread-safe.
 *
 * <p>A deleted node stays deleted until it is registered again; the control plane collects its
 * pods. Nodes that were not registered here are left alone.
 */
public final class SimulatedKubelets implements AutoCloseable {
  private static final long PAGE = 500;
  private static final int REGISTRATIONS = 32;
  private static final long SYNC_SECONDS = 180;

  private final KubernetesClient client;
  private final KubernetesClient own;
  private final ObservedCluster observed;
  private final String kubeletVersion;
  private final SharedIndexInformer<Node> nodes;
  private final SharedIndexInformer<Pod> pods;

  private SimulatedKubelets(KubernetesClient client, TimeSource time, KubeletKnobs defaults) {
    this.client = client;
    this.own = ownClient(client);
    this.observed = new ObservedCluster(time, new ApiWrites(own), defaults);
    this.kubeletVersion = client.getKubernetesVersion().getGitVersion();
    this.nodes = own.nodes().withLimit(PAGE).runnableInformer(0);
    this.pods =
        own.pods()
            .inAnyNamespace()
            .withoutField("spec.nodeName", "")
            .withLimit(PAGE)
            .runnableInformer(0);
    nodes.itemStore(new ObservingStore<>(Node::new, observed::observe, observed::nodeGone));
    pods.itemStore(new ObservingStore<>(Pod::new, observed::observe, observed::podGone));
  }

  /**
   * Has its own connections, so that thousands of writes do not take streams from the caller's
   * requests. Requests are not retried: a retry starts from the state observed then. Watches use
   * plain HTTP, because a busy server drops web sockets whose reader takes one message at a time.
   */
  private static KubernetesClient ownClient(KubernetesClient client) {
    return new KubernetesClientBuilder()
        .withConfig(
            new ConfigBuilder(client.getConfiguration())
                .withRequestRetryBackoffLimit(0)
                .withOnlyHttpWatches(true)
                .build())
        .build();
  }

  /** Kubelets with the built-in defaults, in real time. */
  public static SimulatedKubelets start(KubernetesClient client) {
    return start(client, TimeSource.REAL, KubeletKnobs.NONE);
  }

  /**
   * Returns when the nodes and pods of the cluster are listed; no node is simulated before it is
   * registered.
   */
  public static SimulatedKubelets start(
      KubernetesClient client, TimeSource time, KubeletKnobs defaults) {
    SimulatedKubelets kubelets = new SimulatedKubelets(client, time, defaults);
    try {
      await(kubelets.nodes);
      await(kubelets.pods);
      return kubelets;
    } catch (RuntimeException failed) {
      kubelets.close();
      throw failed;
    }
  }

  private static void await(SharedIndexInformer<?> informer) {
    // Listing again repairs any failure of a watch; giving up would leave pods unhandled.
    informer.exceptionHandler((started, failure) -> true);
    try {
      informer.start().toCompletableFuture().get(SYNC_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while listing the cluster", stopped);
    } catch (ExecutionException | TimeoutException failed) {
      throw new IllegalStateException(
          "Cannot list the cluster's nodes and pods; is the API server up, and may this user list them?",
          failed);
    }
  }

  /**
   * Registers this many nodes concurrently, spread over three zones; returns their names, which are
   * the prefix and 1, 2, 3...
   */
  public List<String> register(int count, String prefix) {
    return register(count, prefix, NodeTemplate.DEFAULT);
  }

  /** As {@link #register(int, String)}, with nodes of this kind. */
  public List<String> register(int count, String prefix, NodeTemplate template) {
    List<String> names =
        IntStream.rangeClosed(1, count).mapToObj(number -> prefix + number).toList();
    Semaphore slots = new Semaphore(REGISTRATIONS);
    List<Callable<Void>> registrations =
        names.stream().map(name -> registration(name, template, slots)).toList();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Void> registration : threads.invokeAll(registrations)) {
        registration.get();
      }
      return names;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while registering nodes", stopped);
    } catch (ExecutionException failed) {
      throw new IllegalStateException(
          "Cannot register nodes %s1 to %s%d: %s"
              .formatted(prefix, prefix, count, failed.getCause()),
          failed);
    }
  }

  private Callable<Void> registration(String name, NodeTemplate template, Semaphore slots) {
    return () -> {
      slots.acquire();
      try {
        register(name, template);
        return null;
      } finally {
        slots.release();
      }
    };
  }

  /**
   * Creates the Node, or adopts an existing one: its status, labels and knobs stay, missing parts
   * are added.
   */
  public void register(String name, NodeTemplate template) {
    observed.simulate(name, createOrAdopt(name, template).getMetadata().getUid());
  }

  private Node createOrAdopt(String name, NodeTemplate template) {
    try {
      NodeStatus status = introduction(name, template);
      return client.resource(NodeObjects.node(name, template, status)).create();
    } catch (KubernetesClientException refused) {
      if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw refused;
      }
      return adopt(client.nodes().withName(name).require(), template);
    }
  }

  private Node adopt(Node existing, NodeTemplate template) {
    String name = existing.getMetadata().getName();
    Map<String, Object> additions = new LinkedHashMap<>();
    Node wanted = NodeObjects.node(name, template, new NodeStatus());
    additions.put(
        "labels", missing(wanted.getMetadata().getLabels(), existing.getMetadata().getLabels()));
    additions.put(
        "annotations",
        missing(wanted.getMetadata().getAnnotations(), existing.getMetadata().getAnnotations()));
    client
        .nodes()
        .withName(name)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            client.getKubernetesSerialization().asJson(Map.of("metadata", additions)));
    if (NodeView.of(existing, null, Instant.EPOCH).bootId().isEmpty()) {
      client
          .nodes()
          .withName(name)
          .subresource("status")
          .patch(
              PatchContext.of(PatchType.STRATEGIC_MERGE),
              client
                  .getKubernetesSerialization()
                  .asJson(Map.of("status", introduction(name, template))));
    }
    return existing;
  }

  private static Map<String, String> missing(
      Map<String, String> wanted, Map<String, String> present) {
    Map<String, String> missing = new LinkedHashMap<>(wanted);
    missing.keySet().removeAll(present.keySet());
    return missing;
  }

  private NodeStatus introduction(String name, NodeTemplate template) {
    NodeStatus status =
        NodeObjects.introduction(name, template, kubeletVersion, observed.newNodeAddress());
    status.setConditions(NodeObjects.well(Map.of(), observed.time().now()));
    return status;
  }

  /**
   * Stops all heartbeats and pod work; the nodes stay registered, as if their machines had lost
   * power.
   */
  @Override
  public void close() {
    pods.close();
    nodes.close();
    observed.stop();
    own.close();
  }
}
