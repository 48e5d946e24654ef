package dev.drydock.maintenance.decide;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.ngn2.NotifyMaintenanceSpec;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A NotifyMaintenance as decisions see it.
 *
 * @param deleted somebody asked for its end
 * @param finalizer ours is on it; without, a maintenance that has begun is over
 * @param labelled it carries the label of its ID
 * @param annotations those by which clients report, and our mark that the deletion was told
 * @param conditions statuses by type: what was taken over from the annotations
 */
public record MaintenanceFacts(
    Identity identity,
    NotifyMaintenanceSpec spec,
    boolean deleted,
    boolean finalizer,
    boolean labelled,
    Map<String, String> annotations,
    MaintenanceState state,
    Optional<Instant> slaExpires,
    Map<String, String> conditions) {

  /** Which object it is. */
  public record Identity(String namespace, String name, String uid, Instant created) {
    @Override
    public String toString() {
      return namespace + "/" + name;
    }
  }

  public MaintenanceFacts {
    annotations = Map.copyOf(annotations);
    conditions = Map.copyOf(conditions);
  }

  public String node() {
    return spec.nodeObject();
  }

  /** The label that says on a Node that it is out for this maintenance. */
  public String nodeLabel() {
    return MaintenanceNames.label(spec.maintenanceID());
  }

  /** The deletion was told; only the node's return is awaited. */
  public boolean terminated() {
    return annotations.containsKey(MaintenanceNames.TERMINATED);
  }

  /** The node was returned for it: it has begun, and we have taken our hands off. */
  public boolean isOver() {
    return state.hasBegun() && !finalizer;
  }

  /** Whether the node is out of service for it, and it is not about to go. */
  public boolean isActive() {
    return finalizer && state.isInProgress() && !terminated() && !deleted;
  }

  public Optional<String> annotation(String name) {
    return Optional.ofNullable(annotations.get(name));
  }

  public Optional<String> condition(String type) {
    return Optional.ofNullable(conditions.get(type));
  }
}
