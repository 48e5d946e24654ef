package dev.drydock.health.customdrain.decide;

import java.time.Instant;

/**
 * A resource by which another controller drains a node.
 *
 * @param name with its kind, for people
 * @param deleting whether it is being deleted; it exists until its finalizers are removed
 * @param event that it is for; empty if somebody else made it
 * @param episode of the quarantine that it is for
 * @param scope as in the task
 * @param misnamed whether it reports completion by another condition than the configured one
 * @param message of the condition that says how far it is; may be empty
 */
public record DrainResource(
    String name,
    Instant created,
    boolean deleting,
    String event,
    String episode,
    String scope,
    Progress progress,
    boolean misnamed,
    String message) {
  /** What the other controller reports. */
  public enum Progress {
    PENDING,
    COMPLETE,
    FAILED
  }

  boolean isOf(CustomDrainTask task) {
    return event.equals(task.event()) && episode.equals(task.episode());
  }

  /** Made for another event of the same quarantine, or by somebody else who drains the node. */
  boolean counts(CustomDrainTask task) {
    return event.isEmpty() ? !deleting : episode.equals(task.episode());
  }

  boolean covers(CustomDrainTask task) {
    return !event.isEmpty() && (scope.isEmpty() || scope.equals(task.scope()));
  }
}
