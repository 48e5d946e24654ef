package dev.drydock.maintenance.decide;

/** The types of notices; the value on the wire, and a phrase for people. */
public enum NoticeEvent {
  SCHEDULED("Scheduled", "is scheduled"),
  SLA_STARTED("SLAStarted", "has started"),
  SLA_EXPIRED("SLAExpired", "has passed its deadline"),
  OBJECTS_DRAINED("ObjectsDrained", "has drained everything"),
  VALIDATING("Validating", "is being validated"),
  MAINTENANCE_INCOMPLETE("MaintenanceIncomplete", "is incomplete"),
  MAINTENANCE_COMPLETE("MaintenanceComplete", "is complete"),
  MAINTENANCE_ENDED("MaintenanceEnded", "has ended"),
  MAINTENANCE_CANCELLED("MaintenanceCancelled", "was cancelled"),
  FINALIZER_RESTORED("FinalizerRestored", "continues although its finalizer was removed"),
  MAINTENANCE_VANISHED("MaintenanceVanished", "is gone and its node stays out of service");

  private final String word;
  private final String phrase;

  NoticeEvent(String word, String phrase) {
    this.word = word;
    this.phrase = phrase;
  }

  /** The value that clients know. */
  public String word() {
    return word;
  }

  /** Whether clients of this API's topics do not know it, and must not get it. */
  public boolean isAddition() {
    return this == FINALIZER_RESTORED || this == MAINTENANCE_VANISHED;
  }

  /** The phrase between the maintenance's ID and "on" its node. */
  public String phrase() {
    return phrase;
  }
}
