package dev.drydock.maintenance.decide;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** What an Event about a maintenance can say: a closed set, part of the API. */
public enum MaintenanceEvent {
  MaintenanceStarted(false),
  DrainPlanned(false),
  JobStarted(false),
  JobSucceeded(false),
  JobFailed(true),
  Waits(false),
  SLAExpired(true),
  ObjectsDrained(false),
  Validating(false),
  MaintenanceIncomplete(true),
  MaintenanceCancelled(false),
  MaintenanceEnded(false),
  MaintenanceComplete(false),
  UncordonedMidway(true),
  CordonedAgain(true),
  HeldAgain(true),
  FinalizerRestored(true),
  ClaimRejected(true),
  MaintenanceVanished(true),
  NodeGone(true),
  LabelRemoved(true),
  IllegalValue(true),
  FinalValueChanged(true);

  private static final Set<MaintenanceEvent> WITHOUT_WRITE =
      EnumSet.of(DrainPlanned, JobStarted, JobSucceeded, JobFailed);

  private final boolean warning;

  MaintenanceEvent(boolean warning) {
    this.warning = warning;
  }

  /** The event of a name, if it is one without a write of its own. */
  public static Optional<MaintenanceEvent> withoutWrite(String name) {
    return WITHOUT_WRITE.stream().filter(entry -> entry.name().equals(name)).findFirst();
  }

  public boolean isWarning() {
    return warning;
  }
}
