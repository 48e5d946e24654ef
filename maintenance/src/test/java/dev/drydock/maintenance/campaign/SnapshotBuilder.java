package dev.drydock.maintenance.campaign;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Json;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.campaign.CompletedDeparture;
import dev.drydock.maintenance.decide.campaign.Departure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Snapshots of one campaign, {@code fw} with UID {@code u-fw}, for tests without a cluster. */
final class SnapshotBuilder {
  static final Instant GRANTED = Instant.parse("2026-01-01T01:00:00Z");

  private final List<MaintenanceCampaignObject> campaigns = new ArrayList<>();
  private final List<NotifyMaintenanceObject> maintenances = new ArrayList<>();
  private final Map<String, Departure> departures = new HashMap<>();
  private final Map<String, Map<String, CompletedDeparture>> done = new HashMap<>();

  static MaintenanceCampaignObject campaign() {
    return MaintenanceCampaignObject.read(
        json(
            """
            {"metadata":{"name":"fw","uid":"u-fw","resourceVersion":"1",
            "creationTimestamp":"2026-01-01T00:00:00Z"},
            "spec":{"nodeSelector":{},"maintenanceClass":"firmware","namespace":"ops"}}"""));
  }

  /** The departure of a node for the campaign. */
  static Departure departure(String node) {
    return new Departure(node, "fw", "u-fw", GRANTED);
  }

  /** Its maintenance of a node, with the campaign's finalizer. */
  static NotifyMaintenanceObject scheduled(String node) {
    return maintenance(node, "ops", "MaintenanceScheduled", "");
  }

  static NotifyMaintenanceObject underWay(String node) {
    return maintenance(node, "ops", "ObjectsDrained", "");
  }

  /** Has ended, and its node was validated. */
  static NotifyMaintenanceObject ended(String node) {
    return endedIn("ops", node);
  }

  static NotifyMaintenanceObject endedIn(String namespace, String node) {
    return maintenance(
        node,
        namespace,
        "Validating",
        """
        {"type":"completed","status":"True"},
        {"type":"validationClient","status":"validated"}""");
  }

  private static NotifyMaintenanceObject maintenance(
      String node, String namespace, String state, String conditions) {
    return NotifyMaintenanceObject.read(
        json(
            """
            {"metadata":{"name":"%s","namespace":"%s","uid":"m-%s","resourceVersion":"1",
            "creationTimestamp":"2026-01-01T00:30:00Z","finalizers":["drydock.dev/campaign"]},
            "spec":{"nodeObject":"%s","maintenanceID":"fw","maintenanceType":"planned",
            "maintenanceClass":"firmware"},
            "status":{"maintenanceStatus":"%s","conditions":[%s]}}"""
                .formatted(
                    campaign().maintenanceName(node), namespace, node, node, state, conditions)));
  }

  SnapshotBuilder withCampaign() {
    campaigns.add(campaign());
    return this;
  }

  SnapshotBuilder with(NotifyMaintenanceObject maintenance) {
    maintenances.add(maintenance);
    return this;
  }

  SnapshotBuilder with(Departure departure) {
    departures.put(departure.node(), departure);
    return this;
  }

  SnapshotBuilder withDone(String node) {
    done.computeIfAbsent("u-fw", _ -> new HashMap<>())
        .put(node, new CompletedDeparture(GRANTED, GRANTED.plusSeconds(60)));
    return this;
  }

  DepartureLedger.LedgerContents ledger() {
    return new DepartureLedger.LedgerContents("ops", Optional.of("1"), departures, done);
  }

  CampaignSnapshot build() {
    return new CampaignSnapshot(
        campaigns,
        maintenances,
        List.of(),
        Map.of(),
        ledger(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Set.of());
  }

  private static JsonNode json(String text) {
    try {
      return Json.read(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
