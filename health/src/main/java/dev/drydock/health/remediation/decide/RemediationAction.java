package dev.drydock.health.remediation.decide;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.ImpactedEntity;
import java.util.List;
import java.util.Optional;

/**
 * What is done about events that recommend an action.
 *
 * @param template the name of its file; empty for the resource that needs none
 * @param group resources of one equivalence group have the same effect, so one of them is enough
 * @param entityScope the type of the entity that the resource is for, if not for the whole node
 * @param superseding groups whose resources have the effect of this one, too
 */
public record RemediationAction(
    MaintenanceKind kind,
    String template,
    String group,
    Optional<String> entityScope,
    List<String> superseding) {

  public RemediationAction {
    superseding = List.copyOf(superseding);
  }

  /** The value of the entity that the resource is for; empty if it is for the whole node. */
  public Optional<String> entity(HealthEvent event) {
    return entityScope.flatMap(
        type ->
            event.entitiesImpacted().stream()
                .filter(entity -> entity.entityType().equals(type))
                .map(ImpactedEntity::entityValue)
                .filter(value -> !value.isEmpty())
                .findFirst());
  }

  /** The group of a resource for this event; empty if the event names no such entity. */
  Optional<String> groupOf(HealthEvent event) {
    return entityScope.isEmpty()
        ? Optional.of(group)
        : entity(event).map(value -> group + "-" + value);
  }
}
