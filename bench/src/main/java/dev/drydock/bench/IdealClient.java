package dev.drydock.bench;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Drains as fast as the cluster allows: it knows the pods, is already running and has no rate
 * limit. It sends evictions continuously and, under a budget, the next one when the budget's status
 * allows it.
 */
final class IdealClient implements AutoCloseable {
  /** More than the API server processes at once; it accepts no more than 100 per connection. */
  private static final int AT_ONCE = 64;

  private final KubernetesClient client;
  private final String namespace;
  private final PodWatch pods;

  IdealClient(BenchCluster cluster) {
    this(cluster.client(), cluster.namespace(), cluster.pods());
  }

  /**
   * For any cluster.
   *
   * @param like connected to it
   * @param pods those of the namespace
   */
  IdealClient(KubernetesClient like, String namespace, PodWatch pods) {
    this.namespace = namespace;
    this.pods = pods;
    this.client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(like.getConfiguration()).withRequestRetryBackoffLimit(0).build())
            .withHttpClientFactory(new JdkHttpClientFactory())
            .build();
  }

  /** Waits until the workload's nodes are empty; returns the seconds that took. */
  double drain(BenchWorkload workload) {
    if (workload.traits().maxUnavailable() == null) {
      return drain(
          workload.nodes(),
          IntStream.range(0, workload.size()).mapToObj(workload::podName).toList());
    }
    return drain(workload.nodes(), () -> evictInTurn(workload));
  }

  /** The same for nodes with these pods, which have no budget. */
  double drain(List<String> nodes, List<String> podsOnThem) {
    return drain(nodes, () -> evictAll(podsOnThem));
  }

  private double drain(List<String> nodes, Runnable evictions) {
    nodes.forEach(node -> client.nodes().withName(node).edit(IdealClient::cordoned));
    var _ = client.getKubernetesVersion(); // opens the connection
    long started = System.nanoTime();
    evictions.run();
    long ended = pods.awaitEmpty(nodes, BenchWorkload.LIMIT);
    return (ended - started) / 1e9;
  }

  private static Node cordoned(Node node) {
    node.getSpec().setUnschedulable(true);
    return node;
  }

  private void evictAll(List<String> names) {
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      List<Future<Boolean>> evictions = new ArrayList<>();
      for (String pod : names) {
        evictions.add(threads.submit(() -> evict(pod)));
      }
      for (Future<Boolean> eviction : evictions) {
        if (!BenchFailure.get(eviction, BenchWorkload.LIMIT, "an eviction failed")) {
          throw new BenchFailure("an eviction that no budget forbids was refused");
        }
      }
    }
  }

  private void evictInTurn(BenchWorkload workload) {
    try (BudgetWatch budgets = new BudgetWatch(client, namespace)) {
      int next = 0;
      while (next < workload.size()) {
        long seen = budgets.awaitOpen(workload.app());
        if (evict(workload.podName(next))) {
          next++;
        } else {
          budgets.awaitChange(seen); // the budget was closed again
        }
      }
    }
  }

  private boolean evict(String pod) {
    return client.pods().inNamespace(namespace).withName(pod).evict();
  }

  @Override
  public void close() {
    client.close();
  }
}
