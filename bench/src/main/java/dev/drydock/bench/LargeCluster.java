package dev.drydock.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A running {@link LargeClusterProcess}. */
final class LargeCluster implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(5);

  private final BenchCluster cluster;
  private final Path kubeconfig;
  private final Process server;

  private LargeCluster(BenchCluster cluster, Path kubeconfig, Process server) {
    this.cluster = cluster;
    this.kubeconfig = kubeconfig;
    this.server = server;
  }

  /** Returns when all nodes and pods exist. */
  static LargeCluster start(BenchCluster cluster, int nodes, int podsPerNode) {
    Path kubeconfig = cluster.folder().resolve("kubeconfig");
    LargeCluster started =
        new LargeCluster(
            cluster, kubeconfig, cluster.startLargeCluster(kubeconfig, nodes, podsPerNode));
    try {
      started.await(
          () -> Files.exists(kubeconfig), "the simulated API server", Duration.ofMillis(200));
      return started;
    } catch (BenchFailure failure) {
      started.close();
      throw failure;
    }
  }

  Path kubeconfig() {
    return kubeconfig;
  }

  void await(BooleanSupplier check, String what, Duration lookEvery) {
    long end = System.nanoTime() + START_LIMIT.toNanos();
    while (!check.getAsBoolean()) {
      if (!server.isAlive() || System.nanoTime() > end) {
        throw new BenchFailure(what + " did not start");
      }
      cluster.pods().pause(lookEvery);
    }
  }

  @Override
  public void close() {
    server.destroy();
  }
}
