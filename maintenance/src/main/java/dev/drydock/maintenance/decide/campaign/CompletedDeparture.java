package dev.drydock.maintenance.decide.campaign;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;

/**
 * When a node of a campaign left, and when it was back.
 *
 * @param from when it was allowed to leave
 */
public record CompletedDeparture(Instant from, Instant to) {
  /** Assumed while no node is done. */
  static final Duration DEFAULT_TIME = Duration.ofMinutes(15);

  /** How long a node will take: the average of those that are done. */
  public static Duration averageTime(Collection<CompletedDeparture> done) {
    return Duration.ofSeconds(
        (long)
            done.stream()
                .mapToLong(each -> Duration.between(each.from(), each.to()).toSeconds())
                .average()
                .orElse((double) DEFAULT_TIME.toSeconds()));
  }
}
