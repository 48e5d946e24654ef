package dev.drydock.contracts.ngn2;

import java.util.Arrays;

/** The values of {@code status.maintenanceStatus}. */
public enum MaintenanceState {
  /** Created, and not processed yet. */
  NONE(""),
  /** Waits until a scheduler labels and cordons the node. */
  SCHEDULED("MaintenanceScheduled"),
  /** The node is labelled and cordoned; it may be drained, and the SLA period runs. */
  STARTED("MaintenanceStarted"),
  /** The SLA period has ended: remaining pods may be removed by force. */
  SLA_EXPIRED("SLAExpired"),
  /** The node is empty; the maintenance may begin. */
  DRAINED("ObjectsDrained"),
  /** The maintenance is done; the node is being validated. */
  VALIDATING("Validating"),
  /** Maintenance or validation failed; the node is not fit for production. */
  INCOMPLETE("MaintenanceIncomplete"),
  /** Not a value of this API; only deletion leads out of it. */
  UNKNOWN("?");

  private final String text;

  MaintenanceState(String text) {
    this.text = text;
  }

  /** The value in the status. */
  public String text() {
    return text;
  }

  public static MaintenanceState of(String text) {
    return Arrays.stream(values())
        .filter(state -> state.text.equals(text))
        .findFirst()
        .orElse(UNKNOWN);
  }

  /** Whether the node is out of service for this maintenance and it has not failed. */
  public boolean isInProgress() {
    return switch (this) {
      case STARTED, SLA_EXPIRED, DRAINED, VALIDATING -> true;
      case NONE, SCHEDULED, INCOMPLETE, UNKNOWN -> false;
    };
  }

  /** Whether the node has been taken out of service for this maintenance. */
  public boolean hasBegun() {
    return this != NONE && this != SCHEDULED;
  }
}
