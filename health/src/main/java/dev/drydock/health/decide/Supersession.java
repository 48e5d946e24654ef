package dev.drydock.health.decide;

import dev.drydock.contracts.health.HealthEvent;
import java.util.List;

/**
 * How much of an unhealthy event later ones have cleared. What is cleared wholly is not acted on
 * any more.
 */
public record Supersession(List<TrackedFault> left) {
  public Supersession {
    left = List.copyOf(left);
  }

  /** Nothing is cleared yet. */
  public static Supersession of(HealthEvent unhealthy) {
    return new Supersession(List.of(TrackedFault.foreign(unhealthy)));
  }

  /**
   * What is left after one more event.
   *
   * @param later of the same node, stored after those before
   */
  public Supersession after(HealthEvent later) {
    return later.isHealthy()
        ? new Supersession(left.stream().flatMap(one -> one.without(later).stream()).toList())
        : this;
  }

  public boolean isComplete() {
    return left.isEmpty();
  }
}
