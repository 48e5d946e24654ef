package dev.drydock.maintenance.decide.campaign;

import dev.drydock.drain.engine.decide.Owner;
import dev.drydock.drain.engine.decide.PodFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How long pods ran, by owner. */
public record RunHistory(Map<String, List<Duration>> runsByOwner) {
  public static final RunHistory NONE = new RunHistory(Map.of());

  /** The weight of the estimate "as long again", in runs, so that one or two runs prove little. */
  private static final int DOUBT = 2;

  public RunHistory {
    runsByOwner = Map.copyOf(runsByOwner);
  }

  /** The runs of pods that have finished; those whose start is unknown say nothing. */
  public static RunHistory of(Collection<PodFacts> finished) {
    Map<String, List<Duration>> runs = new HashMap<>();
    for (PodFacts pod : finished) {
      Instant end = pod.finishedAt().orElseThrow();
      pod.started()
          .filter(start -> start.isBefore(end))
          .ifPresent(
              start ->
                  runs.computeIfAbsent(owner(pod), _ -> new ArrayList<>())
                      .add(Duration.between(start, end)));
    }
    return new RunHistory(runs);
  }

  /** Jobs of a CronJob differ by a number at the end of their names. */
  static String owner(PodFacts pod) {
    String name = pod.controller().map(Owner::name).orElse(pod.ref().name());
    return pod.ref().namespace() + "/" + name.replaceFirst("-\\d+$", "");
  }

  /**
   * How much longer a pod of this age will run: the average remaining time of the runs that lasted
   * longer. A pod that exceeds its expected time may run much longer; the fewer runs lasted as
   * long, the more weight has the assumption that it takes as long again. Absent if no run lasted
   * longer.
   */
  Optional<Duration> remaining(String owner, Duration age) {
    long[] longer =
        runsByOwner.getOrDefault(owner, List.of()).stream()
            .mapToLong(Duration::toMillis)
            .filter(run -> run > age.toMillis())
            .toArray();
    if (longer.length == 0) {
      return Optional.empty();
    }
    double left = Arrays.stream(longer).average().orElse(0) - age.toMillis();
    double doubted =
        (left * longer.length + (double) age.toMillis() * DOUBT) / (longer.length + DOUBT);
    return Optional.of(Duration.ofMillis(Math.round(Math.max(left, doubted))));
  }
}
