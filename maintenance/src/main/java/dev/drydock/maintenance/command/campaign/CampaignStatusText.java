package dev.drydock.maintenance.command.campaign;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.cli.Table;
import dev.drydock.cli.TextLines;
import dev.drydock.contracts.Ages;
import dev.drydock.maintenance.campaign.MaintenanceCampaignObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Campaigns as text for people. */
final class CampaignStatusText {
  private CampaignStatusText() {}

  /** A row for each campaign. */
  static List<String> table(List<MaintenanceCampaignObject> campaigns, Instant now, int width) {
    Table table =
        new Table("NAME", "CLASS", "PHASE", "DONE", "OUT", "FAILED", "NODES", "ETA", "WAITS FOR");
    for (MaintenanceCampaignObject campaign : campaigns) {
      JsonNode counts = campaign.status().path("counts");
      table.row(
          campaign.name(),
          campaign.spec().maintenanceClass(),
          phase(campaign),
          counts.path("done").asText(""),
          counts.path("inFlight").asText(""),
          counts.path("failed").asText(""),
          counts.path("total").asText(""),
          eta(campaign, now),
          String.join("\n", waits(campaign)));
    }
    return table.lines(width);
  }

  /** One campaign in detail: its row, its nodes, why it waits. */
  static List<String> whole(MaintenanceCampaignObject campaign, Instant now, int width) {
    List<String> lines = new ArrayList<>();
    JsonNode counts = campaign.status().path("counts");
    lines.add(
        "%s: %s, %d of %d nodes done%s"
            .formatted(
                campaign.name(),
                phase(campaign),
                counts.path("done").asInt(),
                counts.path("total").asInt(),
                eta(campaign, now).isEmpty() ? "" : ", all back " + eta(campaign, now)));
    for (String wait : waits(campaign)) {
      lines.addAll(
          width == 0 ? List.of("waits: " + wait) : TextLines.wrap("waits: " + wait, "", width));
    }
    if (!campaign.status().path("nodes").isEmpty()) {
      lines.add("");
      Table table = new Table("NODE", "STATE", "SINCE", "EMPTY AFTER", "WHAT");
      for (JsonNode node : campaign.status().path("nodes")) {
        table.row(
            text(node, "name"),
            text(node, "state"),
            node.has("since") ? Ages.between(time(node, "since"), now) : "",
            text(node, "eta"),
            text(node, "message"));
      }
      lines.addAll(table.lines(width));
    }
    return lines;
  }

  private static String phase(MaintenanceCampaignObject campaign) {
    String phase = text(campaign.status(), "phase");
    return phase.isEmpty() ? "not seen by an operator yet" : phase;
  }

  private static String eta(MaintenanceCampaignObject campaign, Instant now) {
    if (!campaign.status().hasNonNull("eta")) {
      return "";
    }
    Instant end = time(campaign.status(), "eta");
    return end.isAfter(now) ? "in " + Ages.between(now, end) : "any moment";
  }

  private static List<String> waits(MaintenanceCampaignObject campaign) {
    List<String> waits = new ArrayList<>();
    campaign.status().path("waitingFor").forEach(wait -> waits.add(text(wait, "message")));
    return waits;
  }
}
