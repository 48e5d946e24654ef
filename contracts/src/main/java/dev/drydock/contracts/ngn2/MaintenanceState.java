package dev.drydock.contracts.ngn2;

import java.util.Arrays;

/** What {@code status.maintenanceStatus} can say. */
public enum MaintenanceState {
  /** Created, and not seen yet. */
  NONE(""),
  /** Seen; waits until a scheduler labels and cordons the node. */
  SCHEDULED("MaintenanceScheduled"),
  /** The node is labelled and cordoned; it may be drained, and the clock runs. */
  STARTED("MaintenanceStarted"),
  /** The time is up: what remains may be removed by force. */
  SLA_EXPIRED("SLAExpired"),
  /** The node is empty; it may be worked on. */
  DRAINED("ObjectsDrained"),
  /** The work is done; the node is under test. */
  VALIDATING("Validating"),
  /** Work or test failed; the node is not fit for production. */
  INCOMPLETE("MaintenanceIncomplete"),
  /** A word that nobody here wrote; nothing but deletion leads out of it. */
  UNKNOWN("?");

  private final String text;

  MaintenanceState(String text) {
    this.text = text;
  }

  /** As it is written in the status. */
  public String text() {
    return text;
  }

  public static MaintenanceState of(String text) {
    return Arrays.stream(values())
        .filter(state -> state.text.equals(text))
        .findFirst()
        .orElse(UNKNOWN);
  }

  /** Whether the node is out of service for it, and not given up. */
  public boolean isInProgress() {
    return switch (this) {
      case STARTED, SLA_EXPIRED, DRAINED, VALIDATING -> true;
      case NONE, SCHEDULED, INCOMPLETE, UNKNOWN -> false;
    };
  }

  /** Whether the node has been taken out of service for it. */
  public boolean hasBegun() {
    return this != NONE && this != SCHEDULED;
  }
}
