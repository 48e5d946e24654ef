package dev.drydock.maintenance.campaign;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.v1alpha1.CampaignPhase;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignStatus.Counts;
import dev.drydock.drain.engine.decide.NaturalOrder;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Conditions.Condition;
import dev.drydock.kube.Json;
import dev.drydock.maintenance.decide.campaign.CampaignDecision;
import dev.drydock.maintenance.decide.campaign.CampaignDecision.Upcoming;
import dev.drydock.maintenance.decide.campaign.DepartureWait;
import dev.drydock.maintenance.decide.campaign.NodeProgress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Puts what was decided into the status that people read. */
final class CampaignStatus {
  /** Limits the size of the status. */
  private static final int LISTED = 100;

  private static final String VALID = "Valid";
  static final String COMPLETE = "Complete";

  private final MaintenanceCampaignObject campaign;
  private final CampaignDecision decision;
  private final Instant now;

  CampaignStatus(MaintenanceCampaignObject campaign, CampaignDecision decision, Instant now) {
    this.campaign = campaign;
    this.decision = decision;
    this.now = now;
  }

  /**
   * As a merge patch has it: what is not there is null.
   *
   * @param ledger where the nodes that are done are recorded
   */
  ObjectNode of(
      Map<String, NodeProgress> progress,
      DepartureLedger.LedgerContents ledger,
      Optional<Instant> eta) {
    ObjectNode status = Json.object();
    status.put("observedGeneration", campaign.object().generation());
    status.put("phase", decision.phase().name());
    status.put(
        "startedAt",
        progress.values().stream()
            .map(NodeProgress::startedAt)
            .min(Instant::compareTo)
            .map(CampaignStatus::seconds)
            .orElse(null));
    status.put("approvedBy", campaign.approvedBy().orElse(null));
    Counts counts = decision.counts();
    status
        .putObject("counts")
        .put("total", counts.total())
        .put("waiting", counts.waiting())
        .put("inFlight", counts.inFlight())
        .put("done", counts.done())
        .put("failed", counts.failed());
    status
        .putObject("ledger")
        .put("namespace", ledger.namespace())
        .put("done", ledger.recordOf(campaign).done());
    status.set("nodes", nodes(progress));
    status.put("eta", eta.map(CampaignStatus::minute).orElse(null));
    ArrayNode waits = status.putArray("waitingFor");
    decision.waits().forEach(wait -> add(waits, wait));
    status.set("conditions", conditions());
    return status;
  }

  private static void add(ArrayNode waits, DepartureWait wait) {
    ObjectNode entry = waits.addObject();
    entry.put("reason", wait.reason().word()).put("message", wait.message());
    wait.until().ifPresent(until -> entry.put("until", seconds(until)));
  }

  private ArrayNode nodes(Map<String, NodeProgress> progress) {
    ArrayNode nodes = Json.array();
    Map<String, NodeProgress> sorted = new TreeMap<>(NaturalOrder.INSTANCE);
    sorted.putAll(progress);
    for (NodeProgress.State state :
        new NodeProgress.State[] {NodeProgress.State.FAILED, NodeProgress.State.IN_FLIGHT}) {
      sorted.forEach(
          (name, node) -> {
            if (node.state() == state && nodes.size() < LISTED) {
              add(nodes, name, node);
            }
          });
    }
    for (Upcoming next : decision.next()) {
      nodes
          .addObject()
          .put("name", next.node())
          .put("state", "Next")
          .put("eta", GoDuration.words(next.leavesIn()));
    }
    return nodes;
  }

  private static void add(ArrayNode nodes, String name, NodeProgress node) {
    boolean failed = node.state() == NodeProgress.State.FAILED;
    ObjectNode entry = nodes.addObject().put("name", name);
    entry.put("state", failed ? "Failed" : "InFlight");
    entry.put("since", seconds(node.endedAt().orElse(node.startedAt())));
    if (!node.message().isEmpty()) {
      entry.put("message", node.message());
    }
  }

  private ArrayNode conditions() {
    boolean valid = decision.phase() != CampaignPhase.Invalid;
    String mistakes =
        String.join("; ", decision.waits().stream().map(DepartureWait::message).toList());
    Conditions before = campaign.object().conditions();
    ObjectNode accepted =
        condition(VALID, valid, valid ? "Accepted" : "Mistakes", valid ? "" : mistakes);
    boolean over =
        switch (decision.phase()) {
          case Completed, Incomplete -> true;
          case Stopped -> decision.counts().inFlight() == 0;
          default -> false;
        };
    Conditions judged = Conditions.of(Json.object().set("conditions", before.with(accepted)));
    return judged.with(condition(COMPLETE, over, decision.phase().name(), ""));
  }

  private ObjectNode condition(String type, boolean value, String reason, String message) {
    return campaign
        .object()
        .conditions()
        .entry(Condition.of(type, value, reason, message), now)
        .put("observedGeneration", campaign.object().generation());
  }

  /** Rounded up to whole minutes. */
  private static String minute(Instant time) {
    return time.plusSeconds(59).truncatedTo(ChronoUnit.MINUTES).toString();
  }

  private static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
