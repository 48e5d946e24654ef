package dev.drydock.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What it costs to know all pods, budgets and Jobs of a cluster with Drydock's own watches and with
 * the client library's informers, on which a controller framework would be built: the time from the
 * start of the process until everything is known, and the resident memory after a garbage
 * collection. Both run with the same JVM settings and class path. The API server is simulated.
 */
record PodCacheBenchmark(int nodes, int podsPerNode) implements ServingBenchmark {
  private static final Duration LOOK_EVERY = Duration.ofMillis(5);

  @Override
  public String name() {
    return "pod-cache";
  }

  @Override
  public String title() {
    return "a process starts and knows %,d pods: the client library's informers against Drydock's watches"
        .formatted(nodes * podsPerNode);
  }

  /** Nodes of the simulated API server only. */
  @Override
  public int nodes() {
    return 0;
  }

  @Override
  public List<Goal> goals() {
    return List.of(
        new Goal(name(), Goal.Figure.VALUE, Contestant.INFORMERS, new Goal.TimesBetter(1)),
        new Goal(
            name() + ": memory",
            Goal.Figure.MEMORY,
            Contestant.INFORMERS,
            new Goal.TimesBetter(1)));
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes targets, Contestant who, int round) {
    try (LargeCluster large = LargeCluster.start(cluster, nodes, podsPerNode)) {
      Path known = cluster.folder().resolve("known");
      List<String> command =
          BenchCluster.jvm(
              PodCacheProcess.class,
              List.of("-Xmx2g"),
              List.of(who.name(), large.kubeconfig().toString(), known.toString()));
      long started = System.nanoTime();
      try (PeerRun run =
          cluster.start(cluster.user(who), List.of(command), large.kubeconfig(), Map.of())) {
        large.await(() -> Files.exists(known), "the watch of all pods", LOOK_EVERY);
        double seconds = (System.nanoTime() - started) / 1e9;
        run.assertRunning();
        long pid = run.pids().getFirst();
        who.peer().collectGarbage(pid);
        double resident = ProcessMemory.resident(pid).orElseThrow() / 1024.0;
        return new Trial(
            who.name(),
            round,
            seconds,
            new Trial.Usage(0, 0, resident),
            Map.of("peak", run.peakKib() / 1024.0));
      }
    }
  }
}
