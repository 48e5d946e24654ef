package dev.drydock.health.remediation.decide;

import dev.drydock.contracts.health.HealthEvent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is done about which events.
 *
 * @param byAction by the name of the recommended action
 * @param byComponent the same by component class, which counts first
 * @param otherwise for all other actions, if anything
 * @param maxAttempts how many resources of a group are made in one quarantine; 0 for no limit
 */
public record RemediationActions(
    Map<String, RemediationAction> byAction,
    Map<String, Map<String, RemediationAction>> byComponent,
    Optional<RemediationAction> otherwise,
    int maxAttempts) {
  public static final int DEFAULT_ATTEMPTS = 3;

  public RemediationActions {
    byAction = Map.copyOf(byAction);
    Map<String, Map<String, RemediationAction>> copy = new LinkedHashMap<>();
    byComponent.forEach((component, actions) -> copy.put(component, Map.copyOf(actions)));
    byComponent = Map.copyOf(copy);
  }

  /** One resource for whatever an event recommends. */
  public static RemediationActions always(MaintenanceKind kind) {
    return new RemediationActions(
        Map.of(),
        Map.of(),
        Optional.of(new RemediationAction(kind, "", "maintenance", Optional.empty(), List.of())),
        DEFAULT_ATTEMPTS);
  }

  Optional<RemediationAction> find(HealthEvent event) {
    String name = event.effectiveAction();
    return Optional.ofNullable(byComponent.getOrDefault(event.componentClass(), Map.of()).get(name))
        .or(() -> Optional.ofNullable(byAction.get(name)))
        .or(() -> otherwise);
  }

  boolean isSpent(int attempts) {
    return maxAttempts > 0 && attempts >= maxAttempts;
  }
}
