package dev.drydock.bench;

import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.health.HealthEvent;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Many nodes fail at once, are quarantined and drained by the operator: evictions per second, from
 * the first fatal event on the socket until the last pod is gone. The ideal client evicts the same
 * pods from nodes that it has cordoned before.
 *
 * @param simulated whether the API server is simulated, because a real one needs too long for so
 *     many pods
 * @param fleet how many nodes fail
 */
record MassDrainBenchmark(boolean simulated, int fleet, int podsPerNode)
    implements ServingBenchmark {
  /** The most that the original publishes. */
  private static final double LEAST = 19;

  private static final Duration LIMIT = Duration.ofMinutes(10);

  @Override
  public String name() {
    return simulated ? "mass-drain" : "mass-drain-testbed";
  }

  @Override
  public String title() {
    return "%,d nodes x %d pods%s fail at once: until all pods are evicted and gone"
        .formatted(fleet, podsPerNode, simulated ? ", simulated," : "");
  }

  @Override
  public String unit() {
    return "evictions/s";
  }

  @Override
  public String anchor() {
    return "5/s and 19/s";
  }

  /** Those of the test cluster. */
  @Override
  public int nodes() {
    return simulated ? 0 : fleet;
  }

  @Override
  public List<Goal> goals() {
    return List.of(
        new Goal(name(), Goal.Figure.VALUE, Contestant.DRYDOCK, new Goal.AtLeast(LEAST, unit())));
  }

  private double perSecond(double seconds) {
    return fleet * podsPerNode / seconds;
  }

  /** Nodes that are about to fail, and what sees what becomes of them. */
  private record Fleet(
      List<String> nodes, String other, CordonWatch watch, PodWatch pods, HealthRun.Setup setup) {}

  @Override
  public Trial run(BenchCluster cluster, BenchNodes targets, Contestant who, int round) {
    Path toml = HealthDrainBenchmark.immediate(cluster.folder());
    HealthRun.Setup setup = HealthRun.Setup.draining(toml);
    if (simulated) {
      try (LargeCluster large = LargeCluster.start(cluster, fleet + 1, podsPerNode);
          KubernetesClient client = BenchCluster.connect(large.kubeconfig());
          PodWatch pods = new PodWatch(client, LargeClusterProcess.NAMESPACE);
          CordonWatch watch = new CordonWatch(client)) {
        String other = LargeClusterProcess.NODE_PREFIX + (fleet + 1);
        HealthRun.Setup there = setup.on(large.kubeconfig());
        return measure(cluster, new Fleet(simulatedNodes(), other, watch, pods, there), who, round);
      }
    }
    BenchDefinitions.apply(cluster.client(), CrdCatalog.KINDS);
    BenchWorkload.deploy(cluster, new DrainScenario(fleet, podsPerNode).workloads(targets));
    try (CordonWatch watch = new CordonWatch(cluster.client())) {
      return measure(
          cluster,
          new Fleet(targets.targets(), targets.spare(), watch, cluster.pods(), setup),
          who,
          round);
    } finally {
      BenchWorkload.clear(cluster);
      targets.restore();
    }
  }

  private List<String> simulatedNodes() {
    return IntStream.rangeClosed(1, fleet)
        .mapToObj(number -> LargeClusterProcess.NODE_PREFIX + number)
        .toList();
  }

  private Trial measure(BenchCluster cluster, Fleet failing, Contestant who, int round) {
    try (HealthFolder folder = new HealthFolder(cluster.folder().resolve("store"));
        HealthRun run = HealthRun.start(cluster, who, failing.other(), folder, failing.setup())) {
      long started = System.nanoTime();
      run.sendAll(
          Math.ceilDiv(fleet, HealthRun.BATCH), batch -> batch(run, failing.nodes(), batch));
      double empty = (failing.pods().awaitEmpty(failing.nodes(), LIMIT) - started) / 1e9;
      long cordoned =
          failing.watch().awaitCordoned(failing.nodes(), LIMIT).values().stream()
              .mapToLong(Long::longValue)
              .max()
              .orElseThrow();
      var _ = failing.watch().awaitDrained(failing.nodes(), LIMIT);
      double drained = (System.nanoTime() - started) / 1e9;
      run.assertRunning();
      return new Trial(
          who.name(),
          round,
          perSecond(empty),
          run.usage(),
          Map.of(
              "untilCordoned",
              (cordoned - started) / 1e9,
              "untilEmpty",
              empty,
              "untilDrained",
              drained));
    }
  }

  private static List<HealthEvent> batch(HealthRun run, List<String> nodes, int number) {
    List<HealthEvent> batch = new ArrayList<>();
    int from = number * HealthRun.BATCH;
    nodes
        .subList(from, Math.min(from + HealthRun.BATCH, nodes.size()))
        .forEach(node -> batch.add(run.fatal(node)));
    return batch;
  }

  @Override
  public OptionalDouble floor(BenchCluster cluster, BenchNodes targets) {
    if (simulated) {
      try (LargeCluster large = LargeCluster.start(cluster, fleet, podsPerNode);
          KubernetesClient client = BenchCluster.connect(large.kubeconfig());
          PodWatch pods = new PodWatch(client, LargeClusterProcess.NAMESPACE);
          IdealClient ideal = new IdealClient(client, LargeClusterProcess.NAMESPACE, pods)) {
        List<String> names =
            client.pods().inNamespace(LargeClusterProcess.NAMESPACE).list().getItems().stream()
                .map(pod -> pod.getMetadata().getName())
                .toList();
        return OptionalDouble.of(perSecond(ideal.drain(simulatedNodes(), names)));
      }
    }
    List<BenchWorkload> workloads = new DrainScenario(fleet, podsPerNode).workloads(targets);
    BenchWorkload.deploy(cluster, workloads);
    try (IdealClient client = new IdealClient(cluster)) {
      return OptionalDouble.of(perSecond(client.drain(workloads.getFirst())));
    } finally {
      BenchWorkload.clear(cluster);
      targets.restore();
    }
  }
}
