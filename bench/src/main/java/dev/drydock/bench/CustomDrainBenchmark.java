package dev.drydock.bench;

import dev.drydock.contracts.Condition;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The demo of custom drains: node drainer, slinky drainer and the stand-in for Slurm. From an event
 * on the socket until the DrainRequest of its node is complete, without the time that the two pods
 * take to stop. Median of several nodes, one after the other.
 */
record CustomDrainBenchmark(int drains, Duration stopAfter) implements ServingBenchmark {
  private static final int PODS = 2;
  private static final double MOST_SECONDS = 1;
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private static final String TEMPLATE =
      """
      spec:
        nodeName: {{ .HealthEvent.NodeName }}
        checkName: {{ .HealthEvent.CheckName }}
        recommendedAction: {{ .HealthEvent.RecommendedAction.String }}
        errorCode:
        {{- range .HealthEvent.ErrorCode }}
        - {{ . }}
        {{- end }}
        healthEventID: {{ .EventID }}
        reason: "{{ .HealthEvent.Message }}"
      """;

  @Override
  public String name() {
    return "custom-drain";
  }

  @Override
  public String title() {
    return "custom drain of %d pods through the slinky drainer: from the event to DrainComplete, above the pods' %d s to stop"
        .formatted(PODS, stopAfter.toSeconds());
  }

  /** One more, for the first drain, on JVMs that compiled nothing yet. */
  @Override
  public int nodes() {
    return drains + 1;
  }

  @Override
  public String anchor() {
    return "20 to 40 s";
  }

  @Override
  public List<Goal> goals() {
    return List.of(
        new Goal(
            name(), Goal.Figure.VALUE, Contestant.DRYDOCK, new Goal.AtMost(MOST_SECONDS, unit())));
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes targets, Contestant who, int round) {
    BenchDefinitions.apply(cluster.client(), CrdCatalog.KINDS);
    DrainScenario scenario = new DrainScenario(nodes(), PODS).withStopAfter(stopAfter);
    BenchWorkload.deploy(cluster, scenario.workloads(targets));
    HealthRun.Setup setup = HealthRun.Setup.draining(config(cluster.folder(), cluster.namespace()));
    try (HealthFolder folder = new HealthFolder(cluster.folder().resolve("store"));
        HealthRun run = HealthRun.start(cluster, who, targets.spare(), folder, setup);
        PeerRun slurm = cluster.start(cluster.user(who), slurm(cluster, who))) {
      List<Double> times = new ArrayList<>();
      for (String node : targets.targets()) {
        times.add(drain(cluster, run, node) - scenario.stopSeconds());
      }
      run.assertRunning();
      slurm.assertRunning();
      return new Trial(
          who.name(),
          round,
          Statistics.median(times.subList(1, times.size())),
          run.usage(),
          Map.of("first", times.getFirst()));
    } finally {
      cluster.deleteAll(DrainRequest.class);
      BenchWorkload.clear(cluster);
      targets.restore();
    }
  }

  private static Path config(Path folder, String namespace) {
    try {
      Files.writeString(folder.resolve("drain-template.yaml"), TEMPLATE);
      return Files.writeString(
          folder.resolve("node-drainer.toml"),
          """
      [customDrain]
      enabled = true
      templateMountPath = "%s"
      templateFileName = "drain-template.yaml"
      namespace = "%s"
      apiGroup = "nvsentinel.nvidia.com"
      version = "v1alpha1"
      kind = "DrainRequest"
      statusConditionType = "DrainComplete"
      statusConditionStatus = "True"
      timeout = "1800"
      """
              .formatted(folder, namespace));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<List<String>> slurm(BenchCluster cluster, Contestant who) {
    String launcher = who.peer().operator(cluster.namespace()).getFirst();
    List<String> flags =
        List.of(
            "--slinky-namespace=" + cluster.namespace(),
            "--metrics-bind-address=0",
            "--health-probe-bind-address=0");
    return Stream.of("slinky-drainer", "mock-slurm")
        .map(command -> Stream.concat(Stream.of(launcher, command), flags.stream()).toList())
        .toList();
  }

  /** Returns the seconds. */
  private static double drain(BenchCluster cluster, HealthRun run, String node) {
    CompletableFuture<Long> completed =
        cluster
            .all(DrainRequest.class)
            .informOnCondition(seen -> seen.stream().anyMatch(each -> isComplete(each, node)))
            .thenApply(_ -> System.nanoTime());
    try {
      long sent = System.nanoTime();
      run.send(List.of(run.fatal(node)));
      long end =
          BenchFailure.get(completed, LIMIT, "the drain of %s was not completed".formatted(node));
      return (end - sent) / 1e9;
    } finally {
      var _ = completed.cancel(true);
    }
  }

  private static boolean isComplete(DrainRequest request, String node) {
    List<Condition> conditions =
        request.getStatus() == null ? null : request.getStatus().conditions();
    return request.getSpec().nodeName().equals(node)
        && conditions != null
        && conditions.stream()
            .anyMatch(
                condition ->
                    condition.type().equals(DrainRequest.COMPLETE_CONDITION)
                        && condition.status().equals("True"));
  }
}
