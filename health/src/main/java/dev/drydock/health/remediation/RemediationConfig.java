package dev.drydock.health.remediation;

import dev.drydock.health.remediation.decide.MaintenanceKind;
import dev.drydock.health.remediation.decide.RemediationAction;
import dev.drydock.health.remediation.decide.RemediationActions;
import dev.drydock.health.resource.ResourceTemplate;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How failures are remedied.
 *
 * @param templates by the name of their file
 * @param maintenance what is made for actions without a template; with a file all have one
 */
public record RemediationConfig(
    RemediationActions actions,
    Map<String, ResourceTemplate> templates,
    Optional<DefaultMaintenance> maintenance) {
  public RemediationConfig {
    templates = Map.copyOf(templates);
  }

  /** A NotifyMaintenance for every action. */
  public static RemediationConfig of(DefaultMaintenance maintenance) {
    return new RemediationConfig(
        RemediationActions.always(maintenance.kind()), Map.of(), Optional.of(maintenance));
  }

  /** The kinds by the name of the action, for what the original wrote on Nodes. */
  Map<String, MaintenanceKind> kinds() {
    Map<String, MaintenanceKind> kinds = new HashMap<>();
    actions
        .byComponent()
        .values()
        .forEach(shared -> shared.forEach((name, action) -> kinds.put(name, action.kind())));
    for (Map.Entry<String, RemediationAction> action : actions.byAction().entrySet()) {
      kinds.put(action.getKey(), action.getValue().kind());
    }
    return kinds;
  }
}
