package dev.drydock.maintenance.decide.campaign;

import java.time.Duration;
import java.util.Arrays;
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
