package dev.drydock.maintenance.control;

import dev.drydock.kube.EventRecorder.Occurrence;

/** What an Event about a maintenance can say: a closed set, part of the API. */
enum MaintenanceEvent {
  MaintenanceStarted(false),
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
  NodeGone(true),
  LabelRemoved(true),
  IllegalValue(true),
  FinalValueChanged(true);

  private final boolean warning;

  MaintenanceEvent(boolean warning) {
    this.warning = warning;
  }

  Occurrence occurrence() {
    return new Occurrence(warning, name(), "Maintain");
  }
}
