package dev.drydock.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Time from the request file of a device operation until the status file says that the node is
 * drained, without the time that the pods themselves take to stop. The agent is already running.
 */
record EdgeBenchmark(String name, String title, DrainScenario scenario)
    implements ServingBenchmark {
  /** A twentieth of what the original waits in every drain, whether it has pods or not. */
  private static final double LIMIT_SECONDS = 6;

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String NOT_REQUESTED = "{\"Status\":2,";
  private static final String COMPLETE = "{\"Status\":9,";

  @Override
  public int nodes() {
    return scenario.nodes();
  }

  @Override
  public List<Goal> goals() {
    return List.of(
        new Goal(
            name, Goal.Figure.VALUE, Contestant.DRYDOCK, new Goal.AtMost(LIMIT_SECONDS, unit())));
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes nodes, Contestant who, int round) {
    BenchWorkload workload = scenario.workloads(nodes).getFirst();
    BenchWorkload.deploy(cluster, List.of(workload));
    Path folder = cluster.folder();
    Path status = folder.resolve("run/zedkube/NodeDrainStatus/global.json");
    List<String> agent = who.peer().edgeAgent(nodes.targets().getFirst(), folder);
    try (WatchService changes = watch(status);
        PeerRun run = cluster.start(cluster.user(who), List.of(agent))) {
      await(status, changes, NOT_REQUESTED, run);
      long asked = System.nanoTime();
      request(folder);
      double total = (await(status, changes, COMPLETE, run) - asked) / 1e9;
      return new Trial(
          who.name(),
          round,
          total - scenario.stopSeconds(),
          new Trial.Usage(0, 0, run.peakKib() / 1024.0),
          Map.of("untilComplete", total));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      BenchWorkload.clear(cluster);
      nodes.restore();
    }
  }

  private static WatchService watch(Path file) throws IOException {
    Path folder = Files.createDirectories(file.resolveSibling("."));
    WatchService changes = folder.getFileSystem().newWatchService();
    var _ =
        folder.register(
            changes, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
    return changes;
  }

  /** As EVE's agent for device operations writes it. */
  private static void request(Path folder) throws IOException {
    Path file = folder.resolve("run/zedagent/NodeDrainRequest/global.json");
    Path unfinished = file.resolveSibling("new");
    Files.writeString(
        unfinished,
        "{\"RequestedAt\":\"%s\",\"RequestedBy\":2,\"Context\":\"reboot\"}"
            .formatted(Instant.now()));
    var _ = Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Returns when the file begins with the text; the time is on {@link System#nanoTime}. */
  private static long await(Path file, WatchService changes, String text, PeerRun run)
      throws IOException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!Files.exists(file) || !Files.readString(file).startsWith(text)) {
      run.assertRunning();
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        throw new BenchFailure("waited %d s for %s in %s".formatted(LIMIT.toSeconds(), text, file));
      }
      try {
        WatchKey key =
            changes.poll(Math.min(left, TimeUnit.SECONDS.toNanos(1)), TimeUnit.NANOSECONDS);
        if (key != null) {
          key.pollEvents();
          key.reset();
        }
      } catch (InterruptedException e) {
        throw BenchFailure.interrupted(e);
      }
    }
    return System.nanoTime();
  }
}
