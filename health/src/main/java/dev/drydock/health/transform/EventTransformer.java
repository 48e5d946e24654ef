package dev.drydock.health.transform;

import dev.drydock.contracts.health.HealthEvent;

/** Changes events on their way to the store. */
@FunctionalInterface
public interface EventTransformer {
  /**
   * The event as it goes on.
   *
   * @throws TransformFailure if it cannot be done; the event then goes on as it was
   */
  HealthEvent apply(HealthEvent event);
}
