package dev.drydock.health.drainer.decide;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.ImpactedEntity;
import dev.drydock.contracts.health.RecommendedAction;
import java.util.Optional;

/** Which pods an event is about. */
public sealed interface DrainScope {
  /** The only entities that pods can be found by. */
  String DEVICE_TYPE = "GPU_UUID";

  /** All pods of the node. */
  record WholeNode() implements DrainScope {}

  /** Pods that have this device. */
  record Device(String type, String value) implements DrainScope {}

  /** Only some pods, but the event does not say which. */
  record Unusable() implements DrainScope {}

  /**
   * The scope of an event.
   *
   * @param partial whether a reset of a component needs only the pods that use it to go
   */
  static DrainScope of(HealthEvent event, boolean partial) {
    if (!partial || !event.recommendedAction().equals(RecommendedAction.COMPONENT_RESET)) {
      return new WholeNode();
    }
    Optional<ImpactedEntity> device =
        event.entitiesImpacted().stream()
            .filter(entity -> entity.entityType().equals(DEVICE_TYPE))
            .filter(entity -> !entity.entityValue().isEmpty())
            .findFirst();
    return device
        .<DrainScope>map(entity -> new Device(entity.entityType(), entity.entityValue()))
        .orElseGet(Unusable::new);
  }

  /** Whether a drain of this scope has drained the other one, too. */
  default boolean covers(DrainScope other) {
    return this instanceof WholeNode || equals(other);
  }

  /** The value of the label of metrics. */
  default String word() {
    return this instanceof WholeNode ? "full" : "partial";
  }
}
