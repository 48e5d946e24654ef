package dev.drydock.bench;

import dev.drydock.sim.kubelet.Knob;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetSpecBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Pods that start on exactly these nodes. Those that are replaced are adopted by a ReplicaSet after
 * they were placed; the others have an owner that does nothing, so that every run starts from the
 * same state.
 */
record BenchWorkload(String app, List<String> nodes, int podsPerNode, Traits traits) {
  /** How the pods behave, their budget, and whether they are replaced. */
  record Traits(Map<Knob, String> knobs, @Nullable Integer maxUnavailable, boolean replaced) {
    static final Traits PLAIN = new Traits(Map.of(), null, false);

    Traits {
      if (maxUnavailable != null && !replaced) {
        throw new IllegalArgumentException("maxUnavailable is counted by what replaces the pods");
      }
    }
  }

  /** Distinguishes the pods of an app, for separate budgets. */
  static final String ORDINAL = "bench.drydock.dev/ordinal";

  static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int CREATIONS = 16;

  int size() {
    return nodes.size() * podsPerNode;
  }

  static int size(List<BenchWorkload> workloads) {
    return workloads.stream().mapToInt(BenchWorkload::size).sum();
  }

  /**
   * Returns when all pods are ready, adopted, counted by their budgets, and nothing changes any
   * more.
   */
  static void deploy(BenchCluster cluster, List<BenchWorkload> workloads) {
    OwnerReference owner = idleOwner(cluster);
    createPods(cluster, workloads, owner);
    cluster.pods().awaitReady(size(workloads), LIMIT);
    workloads.stream()
        .filter(workload -> workload.traits.replaced())
        .forEach(workload -> workload.createReplicaSet(cluster));
    workloads.forEach(workload -> workload.createBudget(cluster));
    workloads.forEach(workload -> workload.awaitStatus(cluster));
    cluster.pods().awaitQuiet();
  }

  /** Adds a workload without a budget to those that are there; returns when its pods are ready. */
  static void add(BenchCluster cluster, BenchWorkload workload) {
    int there = cluster.pods().count();
    createPods(cluster, List.of(workload), idleOwner(cluster));
    cluster.pods().awaitReady(there + workload.size(), LIMIT);
  }

  /** Removes all workloads at once, with their replacements. */
  static void clear(BenchCluster cluster) {
    var client = cluster.client();
    String namespace = cluster.namespace();
    var _ = client.policy().v1().podDisruptionBudget().inNamespace(namespace).delete();
    var _ =
        client
            .apps()
            .replicaSets()
            .inNamespace(namespace)
            .withPropagationPolicy(DeletionPropagation.BACKGROUND)
            .delete();
    var _ = client.pods().inNamespace(namespace).withGracePeriod(0).delete();
    cluster.pods().awaitReady(0, LIMIT);
    cluster.pods().awaitQuiet();
  }

  /** An owner like a controller, so that a drain needs no --force; it never creates pods. */
  private static OwnerReference idleOwner(BenchCluster cluster) {
    ConfigMap owner =
        cluster
            .client()
            .resource(
                new ConfigMapBuilder().withNewMetadata().withName("owner").endMetadata().build())
            .inNamespace(cluster.namespace())
            .createOr(NonDeletingOperation::update);
    return new OwnerReferenceBuilder()
        .withApiVersion("v1")
        .withKind("ConfigMap")
        .withName("owner")
        .withUid(owner.getMetadata().getUid())
        .withController(true)
        .build();
  }

  private static void createPods(
      BenchCluster cluster, List<BenchWorkload> workloads, OwnerReference owner) {
    Semaphore slots = new Semaphore(CREATIONS);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> creations = new ArrayList<>();
      for (BenchWorkload workload : workloads) {
        for (int ordinal = 0; ordinal < workload.size(); ordinal++) {
          Pod pod = workload.pod(ordinal, owner);
          creations.add(
              threads.submit(
                  () -> {
                    slots.acquire();
                    try {
                      return cluster
                          .client()
                          .resource(pod)
                          .inNamespace(cluster.namespace())
                          .create();
                    } finally {
                      slots.release();
                    }
                  }));
        }
      }
      creations.forEach(creation -> BenchFailure.get(creation, LIMIT, "cannot create pods"));
    }
  }

  private Pod pod(int ordinal, OwnerReference owner) {
    Pod pod = pod(ordinal);
    if (!traits.replaced()) {
      pod.getMetadata().setOwnerReferences(List.of(owner));
    }
    return pod;
  }

  /** One of the pods, before it has an owner. */
  Pod pod(int ordinal) {
    PodSpec onNode = spec();
    onNode.setNodeName(nodes.get(ordinal / podsPerNode));
    Map<String, String> labels = new HashMap<>(labels());
    labels.put(ORDINAL, Integer.toString(ordinal));
    return new PodBuilder()
        .withNewMetadata()
        .withName(podName(ordinal))
        .withLabels(labels)
        .withAnnotations(annotations())
        .endMetadata()
        .withSpec(onNode)
        .build();
  }

  String podName(int ordinal) {
    return app + "-" + ordinal;
  }

  private Map<String, String> labels() {
    return Map.of("app", app);
  }

  private Map<String, String> annotations() {
    return traits.knobs().entrySet().stream()
        .collect(Collectors.toMap(knob -> knob.getKey().annotation(), Map.Entry::getValue));
  }

  private static PodSpec spec() {
    return new PodSpecBuilder()
        .addNewContainer()
        .withName("main")
        .withImage("bench.local/nothing:1")
        .endContainer()
        .build();
  }

  private void createReplicaSet(BenchCluster cluster) {
    var _ =
        cluster
            .client()
            .resource(
                new ReplicaSetBuilder()
                    .withNewMetadata()
                    .withName(app)
                    .endMetadata()
                    .withNewSpec()
                    .withReplicas(size())
                    .withNewSelector()
                    .withMatchLabels(labels())
                    .endSelector()
                    .withNewTemplate()
                    .withNewMetadata()
                    .withLabels(labels())
                    .withAnnotations(annotations())
                    .endMetadata()
                    .withSpec(spec())
                    .endTemplate()
                    .endSpec()
                    .build())
            .inNamespace(cluster.namespace())
            .create();
  }

  private void createBudget(BenchCluster cluster) {
    if (traits.maxUnavailable() != null) {
      createBudget(cluster, app, maxUnavailable(traits.maxUnavailable()), labels());
    }
  }

  static PodDisruptionBudgetSpecBuilder maxUnavailable(int pods) {
    return new PodDisruptionBudgetSpecBuilder().withMaxUnavailable(new IntOrString(pods));
  }

  /** A budget for the pods with these labels. */
  static void createBudget(
      BenchCluster cluster,
      String name,
      PodDisruptionBudgetSpecBuilder limit,
      Map<String, String> labels) {
    PodDisruptionBudget budget =
        new PodDisruptionBudgetBuilder()
            .withNewMetadata()
            .withName(name)
            .endMetadata()
            .withSpec(limit.withNewSelector().withMatchLabels(labels).endSelector().build())
            .build();
    var _ = cluster.client().resource(budget).inNamespace(cluster.namespace()).create();
  }

  private void awaitStatus(BenchCluster cluster) {
    if (!traits.replaced()) {
      return;
    }
    int size = size();
    var _ =
        cluster
            .client()
            .apps()
            .replicaSets()
            .inNamespace(cluster.namespace())
            .withName(app)
            .waitUntilCondition(
                set ->
                    set != null
                        && Objects.equals(set.getStatus().getReplicas(), size)
                        && Objects.equals(set.getStatus().getReadyReplicas(), size),
                LIMIT.toSeconds(),
                TimeUnit.SECONDS);
    if (traits.maxUnavailable() != null) {
      awaitBudget(cluster, app, size, traits.maxUnavailable());
    }
  }

  /**
   * Returns when the disruption controller has counted the pods and allows this many disruptions.
   */
  static void awaitBudget(BenchCluster cluster, String name, int pods, int allowed) {
    var _ =
        cluster
            .client()
            .policy()
            .v1()
            .podDisruptionBudget()
            .inNamespace(cluster.namespace())
            .withName(name)
            .waitUntilCondition(
                budget ->
                    budget != null
                        && budget.getStatus() != null
                        && Objects.equals(
                            budget.getStatus().getObservedGeneration(),
                            budget.getMetadata().getGeneration())
                        && budget.getStatus().getExpectedPods() == pods
                        && budget.getStatus().getCurrentHealthy() == pods
                        && budget.getStatus().getDisruptionsAllowed() == allowed,
                LIMIT.toSeconds(),
                TimeUnit.SECONDS);
  }
}
