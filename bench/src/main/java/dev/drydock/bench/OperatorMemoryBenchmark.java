package dev.drydock.bench;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Peak memory of an operator that knows all pods of a large cluster, because a campaign takes the
 * nodes in the order in which they can be drained soonest. The API server is simulated.
 */
record OperatorMemoryBenchmark(int nodes, int podsPerNode, Duration hold)
    implements ServingBenchmark {
  /** The memory limit of the shipped Deployment, and what it leaves for the heap. */
  private static final double LIMIT_MIB = 512;

  private static final String HEAP = "352m";
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);

  private static final String CAMPAIGN =
      """
      apiVersion: drydock.dev/v1alpha1
      kind: MaintenanceClass
      metadata: {name: bench}
      spec:
        drain: {outside: {}}
        maintenance: {outside: {}}
        validation: {none: {}}
      ---
      apiVersion: drydock.dev/v1alpha1
      kind: MaintenanceCampaign
      metadata: {name: bench}
      spec:
        nodeSelector: {}
        maintenanceClass: bench
        namespace: default
        order: soonest
        budgets: [{maxUnavailable: 1}]
      """;

  @Override
  public String name() {
    return "operator-memory";
  }

  @Override
  public String title() {
    return "peak memory of an operator that knows %,d pods on %,d nodes"
        .formatted(nodes * podsPerNode, nodes);
  }

  @Override
  public String unit() {
    return "MiB";
  }

  /** Nodes of the simulated API server only. */
  @Override
  public int nodes() {
    return 0;
  }

  @Override
  public List<Goal> goals() {
    return List.of(
        new Goal(
            name(), Goal.Figure.VALUE, Contestant.DRYDOCK, new Goal.AtMost(LIMIT_MIB, unit())));
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes targets, Contestant who, int round) {
    try (LargeCluster large = LargeCluster.start(cluster, nodes, podsPerNode);
        KubernetesClient client = BenchCluster.connect(large.kubeconfig())) {
      client.load(new ByteArrayInputStream(CAMPAIGN.getBytes(StandardCharsets.UTF_8))).create();
      List<String> operator = who.peer().operator("default");
      try (PeerRun run =
          cluster.start(
              cluster.user(who),
              List.of(operator),
              large.kubeconfig(),
              Map.of("DRYDOCK_HEAP", HEAP))) {
        large.await(() -> hasStarted(client), "the campaign", LOOK_EVERY);
        cluster.pods().pause(hold);
        run.assertRunning();
        long pid = run.pids().getFirst();
        who.peer().collectGarbage(pid);
        double settled = ProcessMemory.resident(pid).orElseThrow() / 1024.0;
        double peak = run.peakKib() / 1024.0;
        return new Trial(
            who.name(), round, peak, new Trial.Usage(0, 0, peak), Map.of("settled", settled));
      }
    }
  }

  /** The first node leaves when all pods are known. */
  private static boolean hasStarted(KubernetesClient client) {
    return !client
        .genericKubernetesResources("ngn2.nvidia.com/v1alpha1", "NotifyMaintenance")
        .inAnyNamespace()
        .list()
        .getItems()
        .isEmpty();
  }
}
