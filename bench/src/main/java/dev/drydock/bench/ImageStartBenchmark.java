package dev.drydock.bench;

import dev.drydock.testbed.CommandResult;
import dev.drydock.testbed.TestbedException;
import dev.drydock.testbed.realkubelet.OciArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Compares the start of {@code drydock version} with the image's files and program, in namespaces
 * and with a root of its own as in a container, and by the launcher outside. The time in which a
 * container runtime prepares a container is not part of it.
 */
record ImageStartBenchmark(int starts) implements Benchmark {
  private static final double TIMES = 1.3;

  @Override
  public String name() {
    return "image-start";
  }

  @Override
  public String title() {
    return "drydock version in the image, median of %d starts, against outside".formatted(starts);
  }

  @Override
  public String unit() {
    return "ms";
  }

  @Override
  public int nodes() {
    return 0;
  }

  @Override
  public List<Goal> goals() {
    return List.of(
        new Goal(name(), Goal.Figure.VALUE, Contestant.UNHINDERED, new Goal.AtMostTimes(TIMES)));
  }

  @Override
  public boolean selfChecks() {
    return false;
  }

  @Override
  public boolean completesDrains() {
    return false;
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes nodes, Contestant who, int round) {
    if (!(who.peer() instanceof DrydockLauncher(Path launcher))) {
      throw new BenchFailure(name() + " needs Drydock's launcher");
    }
    if (who.name().equals(Contestant.UNHINDERED)) {
      return measure(who, round, List.of(launcher.toString(), "version"));
    }
    try {
      OciArchive image = OciArchive.of(OciArchive.newestIn(launcher.resolveSibling("target")));
      Path root = Files.createTempDirectory("drydock-image-");
      try {
        List<String> command = new ArrayList<>();
        command.addAll(List.of("unshare", "--mount", "--pid", "--fork", "--mount-proc"));
        command.add("--root=" + root);
        command.addAll(image.unpack(root));
        command.add("version");
        return measure(who, round, command);
      } finally {
        var _ = CommandResult.run(List.of("rm", "-rf", root.toString()), Map.of(), "").output();
      }
    } catch (IOException | TestbedException e) {
      throw new BenchFailure(name() + ": " + e.getMessage(), e);
    }
  }

  private Trial measure(Contestant who, int round, List<String> command) {
    List<Double> times = new ArrayList<>();
    for (int start = 0; start <= starts; start++) {
      long before = System.nanoTime();
      var _ = CommandResult.run(command, Map.of(), "").output();
      if (start > 0) { // the first one reads files into memory
        times.add(Duration.ofNanos(System.nanoTime() - before).toNanos() / 1e6);
      }
    }
    return new Trial(
        who.name(), round, Statistics.median(times), new Trial.Usage(0, 0, 0), Map.of());
  }
}
