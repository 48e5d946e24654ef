package dev.drydock.health.decide;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How many nodes may be quarantined within a time.
 *
 * @param percentage of the fleet; 0 for no such bound
 * @param maxNodes an absolute bound; 0 for none
 * @param minimum the bound of a percentage is never less, so that a small cluster can lose a node
 * @param domainLabels of nodes; those with the same value share their switch, rack or zone
 * @param domainPercentage of the nodes of a domain; 0 for no such bound
 * @param causePercentage of the fleet, for the same check; 0 for no such bound
 * @param slowAt from so many percent of a bound on, quarantines are paced
 */
public record BreakerLimits(
    boolean enabled,
    int percentage,
    int maxNodes,
    Duration duration,
    int minimum,
    List<String> domainLabels,
    int domainPercentage,
    int causePercentage,
    int slowAt) {
  private static final int ALL = 100;

  public BreakerLimits {
    domainLabels = List.copyOf(domainLabels);
    if (enabled && percentage == 0 && maxNodes == 0) {
      throw new IllegalArgumentException(
          "circuitBreaker: percentage and maxNodes are both 0, so nothing would ever be"
              + " quarantined; set one of them, or disable the breaker");
    }
  }

  /** The original's limits, with a minimum. */
  public static BreakerLimits standard() {
    return new BreakerLimits(true, 50, 0, Duration.ofMinutes(5), 3, List.of(), 0, 0, 80);
  }

  public BreakerLimits disabled() {
    return new BreakerLimits(
        false,
        percentage,
        maxNodes,
        duration,
        minimum,
        domainLabels,
        domainPercentage,
        causePercentage,
        slowAt);
  }

  /**
   * A bound in nodes.
   *
   * @param bound which of the settings it comes from
   */
  public record Threshold(int nodes, String bound) {}

  /** The lower of percentage and maxNodes, at most the fleet. */
  public Threshold ofFleet(int fleet) {
    Optional<Threshold> share = share(percentage, fleet).map(n -> new Threshold(n, "percentage"));
    Threshold most =
        maxNodes > 0
            ? new Threshold(maxNodes, "maxNodes")
            : new Threshold(Integer.MAX_VALUE, "fleetSize");
    Threshold lower = share.filter(one -> one.nodes() <= most.nodes()).orElse(most);
    int highest = Math.max(fleet, minimum);
    return lower.nodes() > highest ? new Threshold(highest, "fleetSize") : lower;
  }

  Optional<Integer> ofDomain(int nodes) {
    return share(domainPercentage, nodes);
  }

  Optional<Integer> ofCause(int fleet) {
    return share(causePercentage, fleet);
  }

  private Optional<Integer> share(int percent, int nodes) {
    if (percent <= 0) {
      return Optional.empty();
    }
    int rounded = Math.ceilDiv(Math.multiplyExact(nodes, percent), ALL);
    return Optional.of(Math.max(minimum, rounded));
  }

  /** Whether so many of a bound are enough to slow down. */
  boolean isSlow(int recent, int threshold) {
    return (long) recent * ALL >= (long) threshold * slowAt;
  }

  /**
   * The time between two quarantines when it slows down: the last part before the bound takes a
   * noticeable share of the window, and still reaches the bound if nodes go on failing.
   */
  Duration pace(int threshold) {
    return duration.dividedBy(2L * Math.max(1, threshold));
  }
}
