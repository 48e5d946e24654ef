package dev.drydock.health.transform;

import dev.drydock.contracts.health.HealthEvent;
import java.util.function.Consumer;

/** Changes events on their way to the store. */
@FunctionalInterface
public interface EventTransformer {
  /**
   * The event as it goes on.
   *
   * @throws TransformFailure if it cannot be done; the event then goes on as it was
   */
  HealthEvent apply(HealthEvent event);

  /**
   * The same of an event that may be refused afterwards, and then comes again.
   *
   * @param ifRefused gets what undoes that the event was seen
   */
  default HealthEvent apply(HealthEvent event, Consumer<Runnable> ifRefused) {
    return apply(event);
  }
}
