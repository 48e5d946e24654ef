package dev.drydock.simulate.fleet;

import dev.drydock.contracts.LabelSelector;
import java.util.Optional;

/**
 * A PodDisruptionBudget.
 *
 * @param selector absent selects no pod, empty every pod of the namespace
 * @param amount a number of pods, or a percentage
 * @param alwaysAllowUnhealthy unready pods may be evicted regardless of the budget
 */
public record Budget(
    String namespace,
    String name,
    Optional<LabelSelector> selector,
    Limit limit,
    String amount,
    boolean alwaysAllowUnhealthy) {
  /** What the amount means. */
  public enum Limit {
    minAvailable,
    maxUnavailable
  }
}
