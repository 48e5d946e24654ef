package dev.drydock.bench;

import dev.drydock.bench.Peer.Maintenances;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.ngn2.NotifyMaintenanceSpec;
import dev.drydock.contracts.ngn2.NotifyMaintenanceStatus;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Creates many NotifyMaintenances at once and measures the time from the first creation until all
 * are Scheduled, and the writes per maintenance for that transition, as counted by the API server.
 * The operator is already running. kubectl makes the same writes when all objects exist.
 */
record MaintenancesBenchmark(int maintenances, int nodes) implements Benchmark {
  static final String ID = "bench";

  static final String WARM_UP = "warm-up";

  private static final int AT_ONCE = 32;
  private static final double MOST_WRITES = 2;
  private static final Duration LIMIT = Duration.ofMinutes(10);

  @Override
  public String name() {
    return "maintenances";
  }

  @Override
  public String title() {
    return "%,d NotifyMaintenances on %d nodes at once: until all are Scheduled"
        .formatted(maintenances, nodes);
  }

  @Override
  public List<Goal> goals() {
    return List.of(
        Goal.faster(name(), 1),
        new Goal(
            "maintenances: writes per transition",
            Goal.Figure.WRITES,
            Contestant.KUBECTL,
            new Goal.AtMost(MOST_WRITES, "writes")));
  }

  @Override
  public boolean completesDrains() {
    return false;
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes targets, Contestant who, int round) {
    BenchDefinitions.apply(cluster.client(), CrdCatalog.KINDS);
    List<String> names = IntStream.range(0, maintenances).mapToObj(i -> "m-" + i).toList();
    Maintenances all = new Maintenances(cluster.namespace(), names);
    Scheduling work = new Scheduling(cluster, targets, cluster.user(who), all);
    try {
      Done done = who.peer().serves() ? served(work, who.peer()) : commanded(work, who.peer());
      return trial(who, round, done);
    } finally {
      cluster.deleteAll(NotifyMaintenance.class);
    }
  }

  /** The objects, their namespace and the user. */
  private record Scheduling(
      BenchCluster cluster, BenchNodes targets, String user, Maintenances all) {}

  /** The measured figures. */
  private record Done(double seconds, long peakKib, Map<String, Long> writes) {}

  /** With a process that is already running. */
  private Done served(Scheduling work, Peer peer) {
    BenchCluster cluster = work.cluster();
    try (PeerRun run = cluster.start(work.user(), peer.schedule(work.all()).getFirst())) {
      create(cluster, work.targets(), List.of(WARM_UP));
      awaitScheduled(cluster, 1);
      Map<String, Long> before = writes(run.requests());
      long started = System.nanoTime();
      create(cluster, work.targets(), work.all().names());
      awaitScheduled(cluster, maintenances + 1);
      double seconds = (System.nanoTime() - started) / 1e9;
      run.assertRunning();
      cluster.pods().pause(Duration.ofSeconds(2)); // time for other writes
      Map<String, Long> writes = writes(run.requests());
      before.forEach((what, count) -> writes.merge(what, -count, Long::sum));
      return new Done(seconds, run.peakKib(), writes);
    }
  }

  /** With commands that are run when the objects exist. */
  private Done commanded(Scheduling work, Peer peer) {
    BenchCluster cluster = work.cluster();
    long started = System.nanoTime();
    create(cluster, work.targets(), work.all().names());
    long peak = 0;
    Map<String, Long> writes = new HashMap<>();
    for (List<List<String>> step : peer.schedule(work.all())) {
      try (PeerRun run = cluster.start(work.user(), step)) {
        var _ = run.awaitExit(LIMIT);
        peak = Math.max(peak, run.peakKib());
        writes(run.requests()).forEach((what, count) -> writes.merge(what, count, Long::sum));
      }
    }
    awaitScheduled(cluster, maintenances);
    return new Done((System.nanoTime() - started) / 1e9, peak, writes);
  }

  /** Writes to the maintenances count for the transition; all others are reported separately. */
  private Trial trial(Contestant who, int round, Done done) {
    Map<String, Double> details = new HashMap<>();
    long own = 0;
    for (Map.Entry<String, Long> each : done.writes().entrySet()) {
      details.put("writes of " + each.getKey(), (double) each.getValue());
      own += each.getKey().startsWith(NotifyMaintenance.PLURAL) ? each.getValue() : 0;
    }
    details.put(Goal.Figure.WRITES_DETAIL, (double) own / maintenances);
    Trial.Usage usage = new Trial.Usage(0, 0, done.peakKib() / 1024.0);
    return new Trial(who.name(), round, done.seconds(), usage, Map.copyOf(details));
  }

  /** Excludes the warm-up's maintenances, which may be logged after the measurement began. */
  static Map<String, Long> writes(List<AuditLog.Request> requests) {
    Map<String, Long> counts = new HashMap<>();
    requests.stream()
        .filter(request -> request.isWrite() && !request.object().equals(WARM_UP))
        .forEach(request -> counts.merge(request.resource(), 1L, Long::sum));
    return counts;
  }

  /** Creates each one and at once sets what Scheduled requires, without reading it first. */
  @Override
  public OptionalDouble floor(BenchCluster cluster, BenchNodes targets) {
    BenchDefinitions.apply(cluster.client(), CrdCatalog.KINDS);
    List<String> names = IntStream.range(0, maintenances).mapToObj(i -> "m-" + i).toList();
    try {
      long started = System.nanoTime();
      forEach(
          cluster,
          targets,
          names,
          one -> {
            var _ = one.create();
            for (Peer.Patch patch : Peer.Patch.TO_SCHEDULED) {
              PatchContext merge = PatchContext.of(PatchType.JSON_MERGE);
              var _ =
                  patch.subresource().isEmpty()
                      ? one.patch(merge, patch.body())
                      : one.subresource(patch.subresource()).patch(merge, patch.body());
            }
          });
      return OptionalDouble.of((System.nanoTime() - started) / 1e9);
    } finally {
      cluster.deleteAll(NotifyMaintenance.class);
    }
  }

  private void create(BenchCluster cluster, BenchNodes targets, List<String> names) {
    forEach(cluster, targets, names, Resource::create);
  }

  private void forEach(
      BenchCluster cluster,
      BenchNodes targets,
      List<String> names,
      Consumer<Resource<NotifyMaintenance>> action) {
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      List<Future<?>> creations = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        NotifyMaintenance one = new NotifyMaintenance();
        one.setMetadata(new ObjectMetaBuilder().withName(names.get(i)).build());
        one.setSpec(spec(targets.targets().get(i % nodes)));
        creations.add(
            threads.submit(
                () -> action.accept(cluster.all(NotifyMaintenance.class).resource(one))));
      }
      creations.forEach(
          creation -> BenchFailure.get(creation, LIMIT, "a NotifyMaintenance was not created"));
    }
  }

  private static NotifyMaintenanceSpec spec(String node) {
    return new NotifyMaintenanceSpec(node, ID, "planned", null, null, null, null);
  }

  private static void awaitScheduled(BenchCluster cluster, int count) {
    var _ =
        BenchFailure.get(
            cluster
                .all(NotifyMaintenance.class)
                .informOnCondition(
                    seen ->
                        seen.stream().filter(MaintenancesBenchmark::isScheduled).count() == count),
            LIMIT,
            "not all NotifyMaintenances became Scheduled");
  }

  private static boolean isScheduled(NotifyMaintenance one) {
    NotifyMaintenanceStatus status = one.getStatus();
    return status != null && MaintenanceState.SCHEDULED.text().equals(status.maintenanceStatus());
  }
}
