package dev.drydock.maintenance.campaign;

import dev.drydock.kube.EventRecorder.Occurrence;

/** What an Event about a campaign can say: a closed set, part of the API. */
enum CampaignEvent {
  NodesLeave(false),
  NodeDone(false),
  MaintenanceRefused(true),
  ServedElsewhere(true),
  PhaseChanged(false);

  private final boolean warning;

  CampaignEvent(boolean warning) {
    this.warning = warning;
  }

  Occurrence occurrence() {
    return new Occurrence(warning, name(), "Campaign");
  }
}
