package dev.drydock.maintenance.decide;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.ngn2.NotifyMaintenanceSpec;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The facts about a NotifyMaintenance that decisions need.
 *
 * @param deleted it has a deletionTimestamp
 * @param finalizer our finalizer is set; it may be missing because somebody removed it
 * @param labelled it has the label of its ID
 * @param annotations those by which clients report, and our mark that the deletion was notified
 * @param conditions statuses by type: the accepted values of the annotations
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
  /** Of its holds; followed by its namespace and name. */
  public static final String HOLDER_PREFIX = "notifymaintenance/";

  /** Its identity. */
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

  /** How its hold is called. */
  public String holder() {
    return HOLDER_PREFIX + identity;
  }

  public String node() {
    return spec.nodeObject();
  }

  /** The label that marks a Node as out for this maintenance. */
  public String nodeLabel() {
    return MaintenanceNames.label(spec.maintenanceID());
  }

  /**
   * The deletion was notified; only the node's return is pending. The mark means nothing on an
   * object that is not being deleted: anybody may have written it.
   */
  public boolean terminated() {
    return deleted && annotations.containsKey(MaintenanceNames.TERMINATED);
  }

  /** These facts without a client's annotation. */
  MaintenanceFacts without(ClientAnnotation claim) {
    Map<String, String> others = new HashMap<>(annotations);
    others.remove(claim.annotation());
    return new MaintenanceFacts(
        identity, spec, deleted, finalizer, labelled, others, state, slaExpires, conditions);
  }

  /** The node was returned, which is written down before our finalizer is removed. */
  public boolean isOver() {
    return state.hasBegun() && !finalizer && condition(AdvisoryConditions.COMPLETED).isPresent();
  }

  /** Whether nothing more will be done for it, and its node is back or was never out. */
  public boolean isEnded() {
    return isOver() || (!state.hasBegun() && deleted && !finalizer);
  }

  /** Whether it was accepted that the node is fit for service. */
  public boolean isProved() {
    return condition(MaintenanceNames.VALIDATION_CONDITION)
        .filter(MaintenanceNames.VALIDATED::equals)
        .isPresent();
  }

  /** Whether the node is out of service for it, and it is not being deleted. */
  public boolean isActive() {
    return !isOver() && state.isInProgress() && !terminated() && !deleted;
  }

  public Optional<String> annotation(String name) {
    return Optional.ofNullable(annotations.get(name));
  }

  public Optional<String> condition(String type) {
    return Optional.ofNullable(conditions.get(type));
  }
}
