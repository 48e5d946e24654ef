package dev.drydock.maintenance.decide;

/**
 * The types of notices: the value on the wire, a phrase for people, and whether topics get it. All
 * three are known to the clients of this API.
 */
public enum NoticeEvent {
  SCHEDULED("Scheduled", "scheduled", false),
  SLA_STARTED("SLAStarted", "started", true),
  SLA_EXPIRED("SLAExpired", "SLA expired", true),
  OBJECTS_DRAINED("ObjectsDrained", "objects drained", true),
  VALIDATING("Validating", "validating", true),
  MAINTENANCE_INCOMPLETE("MaintenanceIncomplete", "incomplete", true),
  MAINTENANCE_COMPLETE("MaintenanceComplete", "completed", true),
  MAINTENANCE_ENDED("MaintenanceEnded", "ended", false),
  MAINTENANCE_CANCELLED("MaintenanceCancelled", "cancelled", true),
  FINALIZER_RESTORED("FinalizerRestored", "continues although its finalizer was removed", false),
  MAINTENANCE_VANISHED("MaintenanceVanished", "is gone and its node stays out of service", false);

  private final String word;
  private final String phrase;
  private final boolean forTopics;

  NoticeEvent(String word, String phrase, boolean forTopics) {
    this.word = word;
    this.phrase = phrase;
    this.forTopics = forTopics;
  }

  /** The value that clients know. */
  public String word() {
    return word;
  }

  /** The phrase between the maintenance's ID and "on" its node. */
  public String phrase() {
    return phrase;
  }

  /**
   * Whether the subscribers of topics expect it; they get others only if the settings name them.
   */
  public boolean isForTopics() {
    return forTopics;
  }
}
