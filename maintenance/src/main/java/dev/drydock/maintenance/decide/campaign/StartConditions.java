package dev.drydock.maintenance.decide.campaign;

import dev.drydock.contracts.NameLists;
import dev.drydock.contracts.v1alpha1.CampaignPhase;
import dev.drydock.drain.engine.decide.NaturalOrder;
import dev.drydock.maintenance.decide.campaign.NodeProgress.State;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Conditions for all departures of a campaign: approval, failures and windows. */
final class StartConditions {
  private final CampaignState campaign;
  private final CampaignRules rules;
  private final Map<String, NodeProgress> progress;

  StartConditions(CampaignState campaign, CampaignRules rules, Map<String, NodeProgress> progress) {
    this.campaign = campaign;
    this.rules = rules;
    this.progress = progress;
  }

  boolean isStopped() {
    return Boolean.TRUE.equals(campaign.spec().stopped());
  }

  /** The first unmet condition, except those that a person has to meet. */
  Optional<DepartureWait> closed(int total, Instant now) {
    if (isStopped()) {
      String message = "stopped " + reason("by a user");
      return Optional.of(DepartureWait.of(WaitReason.STOPPED, message));
    }
    if (total == 0) {
      return Optional.of(DepartureWait.of(WaitReason.NO_NODES, "no node fits spec.nodeSelector"));
    }
    return failures(total).or(() -> window(now));
  }

  /** The first unmet condition that only a person can meet. */
  Optional<DepartureWait> closedByPeople(Optional<String> andonCord) {
    if (isStopped()) {
      return Optional.empty();
    }
    if (rules.approvalRequired() && campaign.approvedBy().isEmpty()) {
      String message = "waiting for approval: drydock campaign approve " + campaign.name();
      return Optional.of(DepartureWait.of(WaitReason.APPROVAL_NEEDED, message));
    }
    if (andonCord.isPresent()) {
      String message = "the andon cord is pulled: " + andonCord.get();
      return Optional.of(DepartureWait.of(WaitReason.ANDON_CORD, message));
    }
    if (Boolean.TRUE.equals(campaign.spec().paused())) {
      String message = "it is paused: drydock campaign resume " + campaign.name();
      return Optional.of(DepartureWait.of(WaitReason.PAUSED, message));
    }
    return Optional.empty();
  }

  /** What whoever stopped the campaign said about it. */
  private String reason(String otherwise) {
    String given = campaign.spec().stopReason();
    return given == null ? otherwise : "because " + given;
  }

  private Optional<DepartureWait> failures(int total) {
    Map<String, NodeProgress> failed = new TreeMap<>(NaturalOrder.INSTANCE);
    progress.forEach(
        (name, node) -> {
          if (node.state() == State.FAILED) {
            failed.put(name, node);
          }
        });
    String next = "; repair them and delete their maintenances";
    int count = failed.size();
    int most = rules.stopOnFailures();
    Set<String> canaries = rules.batches().canaries(progress, total);
    if (!Collections.disjoint(failed.keySet(), canaries)) {
      failed.keySet().retainAll(canaries);
      String message = "canary nodes failed: " + described(failed) + next;
      return Optional.of(DepartureWait.of(WaitReason.CANARY_FAILED, message));
    }
    if (count < most) {
      return Optional.empty();
    }
    String message =
        "%d failed, and it halts at %d: %s%s, or raise spec.stopOnFailures"
            .formatted(count, most, described(failed), next);
    return Optional.of(DepartureWait.of(WaitReason.FAILURES, message));
  }

  private static String described(Map<String, NodeProgress> failed) {
    return NameLists.some(
        failed.entrySet().stream()
            .map(
                node -> {
                  String why = node.getValue().message();
                  return why.isEmpty() ? node.getKey() : node.getKey() + " (" + why + ")";
                })
            .toList());
  }

  private Optional<DepartureWait> window(Instant now) {
    if (rules.windows().isOpen(now)) {
      return Optional.empty();
    }
    Optional<Instant> opens = rules.windows().nextOpening(now);
    if (opens.isEmpty()) {
      String message = "spec.windows and spec.exclusions leave no time within five years";
      return Optional.of(DepartureWait.of(WaitReason.NEVER_OPENS, message));
    }
    String message = "the next window opens at " + opens.get();
    return Optional.of(new DepartureWait(WaitReason.WINDOW_CLOSED, message, opens));
  }

  static CampaignPhase phase(DepartureWait permission, boolean nodesOut) {
    return switch (permission.reason()) {
      case STOPPED -> CampaignPhase.Stopped;
      case APPROVAL_NEEDED -> CampaignPhase.AwaitingApproval;
      case ANDON_CORD, PAUSED -> CampaignPhase.Paused;
      case FAILURES, CANARY_FAILED -> CampaignPhase.Halted;
      default -> nodesOut ? CampaignPhase.Running : CampaignPhase.Waiting;
    };
  }
}
