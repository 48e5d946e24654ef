package dev.drydock.bench;

import dev.drydock.contracts.CrdCatalog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The programs on CXI nodes, each alone on a fake machine: how soon it is ready and what it takes
 * of memory when it has nothing to do; how soon the device plugin is known again to a kubelet that
 * restarts; and how soon a kubelet learns of a link that goes down. The device plugin runs side by
 * side with a small one in Go. The driver agent works with the cluster.
 *
 * @param program one of ours
 * @param times of what is measured in one run
 */
record NodeProgramBenchmark(Kind kind, String program, int times) implements ServingBenchmark {
  private static final double READY_MILLIS = 1500;
  private static final double IDLE_MIB = 80;
  private static final double REGISTERED_MILLIS = 100;
  private static final Duration IDLE = Duration.ofSeconds(10);

  /** How often links are looked at here: half of it is in the figure, on average. */
  private static final Duration POLL = Duration.ofMillis(20);

  private static final double TOLD_MILLIS = 100;

  /** What is measured. */
  enum Kind {
    START,
    RESTART,
    FLIP
  }

  /** The only one that works with a cluster. */
  private boolean isAgent() {
    return program.equals("driver-agent");
  }

  private boolean isPlugin() {
    return program.equals("device-plugin");
  }

  @Override
  public String name() {
    return switch (kind) {
      case START -> "cxi-start-" + program;
      case RESTART -> "cxi-kubelet-restart";
      case FLIP -> "cxi-link-flip";
    };
  }

  @Override
  public String title() {
    return switch (kind) {
      case START ->
          "drydock cxi %s in the image: from its start until it is ready, median of %d"
              .formatted(program, times);
      case RESTART ->
          "device plugin: from the socket of a kubelet that restarted until it has the devices, 99th percentile of %d"
              .formatted(times);
      case FLIP ->
          "device plugin: from a link that goes down until the kubelet knows, 99th percentile of %d; links are looked at every %d ms"
              .formatted(times, POLL.toMillis());
    };
  }

  @Override
  public String unit() {
    return "ms";
  }

  @Override
  public int nodes() {
    return isAgent() ? 1 : 0;
  }

  @Override
  public List<Goal> goals() {
    String peer = isPlugin() ? Contestant.GO_PLUGIN : Contestant.DRYDOCK;
    return switch (kind) {
      case START ->
          List.of(
              new Goal(name(), Goal.Figure.VALUE, peer, new Goal.AtMost(READY_MILLIS, unit())),
              new Goal(
                  name() + ": memory", Goal.Figure.MEMORY, peer, new Goal.AtMost(IDLE_MIB, "MiB")));
      case RESTART ->
          List.of(
              new Goal(
                  name(), Goal.Figure.VALUE, peer, new Goal.AtMost(REGISTERED_MILLIS, unit())));
      case FLIP ->
          List.of(new Goal(name(), Goal.Figure.VALUE, peer, new Goal.AtMost(TOLD_MILLIS, unit())));
    };
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes nodes, Contestant who, int round) {
    if (!(who.peer() instanceof DrydockLauncher(Path launcher))) {
      throw new BenchFailure(name() + " needs Drydock's launcher");
    }
    try {
      return switch (kind) {
        case START -> start(cluster, nodes, who, round, launcher);
        case RESTART -> restart(cluster, who, round, launcher);
        case FLIP -> flip(cluster, who, round, launcher);
      };
    } catch (IOException e) {
      throw new BenchFailure(name() + ": " + e.getMessage(), e);
    }
  }

  /** Prepared, so that starting it is all that is left. */
  private Starter starter(BenchCluster cluster, NodeProgramRun run, Contestant who, Path launcher)
      throws IOException {
    if (who.name().equals(Contestant.GO_PLUGIN)) {
      Path go = GoDevicePlugin.build(cluster.folder());
      return () -> run.startGo(go, POLL);
    }
    run.unpack(launcher);
    List<String> flags =
        switch (program) {
          case "device-plugin" ->
              List.of(
                  "--sharing-mode=exclusive",
                  "--kubelet-folder=/k",
                  "--poll-interval=" + POLL.toMillis() + "ms",
                  "--link-hysteresis=0s");
          case "retry-handler" -> List.of("--cxi-rh-path=/machine/usr/bin/cxi_rh");
          case "driver-agent" -> List.of("--driver-version=1.8.3");
          default -> List.of("--retry-handler-url=");
        };
    return () -> run.startOurs(program, flags);
  }

  @FunctionalInterface
  private interface Starter {
    void start() throws IOException;
  }

  private Trial start(
      BenchCluster cluster, BenchNodes nodes, Contestant who, int round, Path launcher)
      throws IOException {
    List<Double> ready = new ArrayList<>();
    List<Double> memory = new ArrayList<>();
    if (isAgent()) {
      BenchDefinitions.apply(cluster.client(), CrdCatalog.KINDS);
    }
    for (int i = 0; i <= times; i++) {
      try (NodeProgramRun run = NodeProgramRun.prepare(cluster)) {
        if (isAgent()) {
          run.connect(cluster, nodes.targets().getFirst());
        }
        Starter starter = starter(cluster, run, who, launcher);
        long from = System.nanoTime();
        starter.start();
        if (isPlugin()) {
          run.awaitList("the kubelet has the devices", () -> run.kubelet().devices().size() == 2);
        } else {
          run.awaitReady();
        }
        double millis = millisSince(from);
        if (i > 0) { // the first one reads files into memory
          ready.add(millis);
          rest();
          memory.add(run.residentMib());
        }
      }
    }
    return trial(who, round, Statistics.median(ready), Statistics.median(memory));
  }

  private static void rest() {
    try {
      var _ = new CountDownLatch(1).await(IDLE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw BenchFailure.interrupted(e);
    }
  }

  private Trial restart(BenchCluster cluster, Contestant who, int round, Path launcher)
      throws IOException {
    return repeat(
        cluster,
        who,
        round,
        launcher,
        run -> {
          run.restartKubelet();
          long from = System.nanoTime();
          run.awaitList("the kubelet has the devices", () -> run.kubelet().devices().size() == 2);
          return millisSince(from);
        });
  }

  private Trial flip(BenchCluster cluster, Contestant who, int round, Path launcher)
      throws IOException {
    return repeat(
        cluster,
        who,
        round,
        launcher,
        run -> {
          run.machine().link("cxi0", false);
          long from = System.nanoTime();
          run.awaitList("the kubelet knows", () -> isHealthy(run, false));
          double millis = millisSince(from);
          run.machine().link("cxi0", true);
          run.awaitList("the kubelet knows", () -> isHealthy(run, true));
          return millis;
        });
  }

  private static boolean isHealthy(NodeProgramRun run, boolean wanted) {
    return run.kubelet().devices().stream()
        .anyMatch(
            device ->
                device.getID().equals("cxi0") && device.getHealth().equals("Healthy") == wanted);
  }

  /** One thing that is measured again and again in a program that runs. */
  @FunctionalInterface
  private interface Sample {
    double take(NodeProgramRun run) throws IOException;
  }

  private Trial repeat(
      BenchCluster cluster, Contestant who, int round, Path launcher, Sample sample)
      throws IOException {
    try (NodeProgramRun run = NodeProgramRun.prepare(cluster)) {
      starter(cluster, run, who, launcher).start();
      run.awaitList("the kubelet has the devices", () -> run.kubelet().devices().size() == 2);
      List<Double> all = new ArrayList<>();
      for (int i = 0; i < times + times / 10; i++) {
        double millis = sample.take(run);
        if (i >= times / 10) { // the first ones warm up
          all.add(millis);
        }
      }
      return trial(who, round, Statistics.percentile(all, 0.99), run.residentMib());
    }
  }

  private static double millisSince(long from) {
    return (System.nanoTime() - from) / 1e6;
  }

  private static Trial trial(Contestant who, int round, double millis, double mebibytes) {
    return new Trial(who.name(), round, millis, new Trial.Usage(0, 0, mebibytes), Map.of());
  }
}
