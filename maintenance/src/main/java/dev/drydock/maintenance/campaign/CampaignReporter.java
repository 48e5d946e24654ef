package dev.drydock.maintenance.campaign;

import dev.drydock.contracts.NameLists;
import dev.drydock.kube.StepObjects;
import dev.drydock.maintenance.decide.campaign.CampaignDecision;
import dev.drydock.maintenance.decide.campaign.CampaignFacts;
import dev.drydock.maintenance.decide.campaign.NodeProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what was decided into the status of campaigns, with a forecast of their ends. */
final class CampaignReporter {
  private static final Logger LOG = LoggerFactory.getLogger(CampaignReporter.class);

  private final CampaignWriter writer;
  private final StepObjects turns;
  private final CampaignEnds ends = new CampaignEnds();
  private volatile List<CampaignSample> samples = List.of();

  CampaignReporter(CampaignWriter writer, StepObjects turns) {
    this.writer = writer;
    this.turns = turns;
  }

  /** The campaigns of the last report, for metrics. */
  List<CampaignSample> samples() {
    return samples;
  }

  /** When to ask for the forecast again that was put off. */
  Optional<Instant> due() {
    return ends.due();
  }

  void report(CampaignRound round, Instant now) {
    CampaignFacts facts = round.snapshot().facts(now, turns);
    // One that could not be decided about would spoil the forecast of all.
    Set<String> decided =
        round.decisions().stream().map(CampaignDecision::campaign).collect(Collectors.toSet());
    var _ =
        turns.run("forecast of all", () -> ends.update(facts.only(decided), moving(round), now));
    List<CampaignSample> reported = new ArrayList<>();
    for (CampaignDecision decision : round.decisions()) {
      var _ =
          turns.run(
              decision.campaign(),
              () -> {
                report(round.snapshot(), decision, facts, now);
                reported.add(CampaignSample.of(decision, facts));
              });
    }
    samples = reported;
  }

  private void report(
      CampaignSnapshot snapshot, CampaignDecision decision, CampaignFacts facts, Instant now) {
    MaintenanceCampaignObject campaign = snapshot.campaign(decision.campaign()).orElseThrow();
    if (!decision.start().isEmpty()) {
      String who = "leaving: " + NameLists.some(decision.start());
      writer.record(campaign, CampaignEvent.NodesLeave, who);
      LOG.info("campaign {}: {}", campaign.name(), who);
    }
    CampaignStatus status = new CampaignStatus(campaign, decision, now);
    Map<String, NodeProgress> progress = facts.progress(campaign.name());
    progress.replaceAll((node, made) -> made.or(writer.refusal(campaign, node)));
    Optional<Instant> end = decision.isMoving() ? ends.of(campaign.name()) : Optional.empty();
    writer.write(campaign, status.of(progress, snapshot.ledger(), end));
  }

  /** Campaigns that have an end to be forecast, and how long their nodes take. */
  private static Map<String, Duration> moving(CampaignRound round) {
    Map<String, Duration> work = new HashMap<>();
    round.decisions().stream()
        .filter(CampaignDecision::isMoving)
        .map(CampaignDecision::campaign)
        .forEach(name -> work.put(name, round.snapshot().workTime(name)));
    return work;
  }
}
