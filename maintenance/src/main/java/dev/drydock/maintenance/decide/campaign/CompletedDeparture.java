package dev.drydock.maintenance.decide.campaign;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;

/**
 * When a node of a campaign left, and when it was back.
 *
 * @param from when it was allowed to leave
 * @param before how many nodes of the campaign were recorded before it, at least: if entries are
 *     lost and others come in their place, their number alone would not tell
 */
public record CompletedDeparture(Instant from, Instant to, int before) {
  public CompletedDeparture(Instant from, Instant to) {
    this(from, to, 0);
  }

  /** The same, recorded after so many others. */
  public CompletedDeparture after(int others) {
    return new CompletedDeparture(from, to, others);
  }

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
