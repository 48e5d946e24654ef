package dev.drydock.maintenance.metrics;

import dev.drydock.contracts.v1alpha1.CampaignPhase;
import dev.drydock.maintenance.campaign.CampaignSample;
import dev.drydock.maintenance.decide.campaign.DomainUse;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;

/**
 * The numbers of campaigns and their budgets. Of each level of a budget only the domain with the
 * least room is shown, so the number of series grows with the campaigns but not with the cluster.
 */
public final class CampaignMetrics {
  private final MultiGauge nodes;
  private final MultiGauge phase;
  private final MultiGauge out;
  private final MultiGauge allowed;

  public CampaignMetrics(MeterRegistry registry) {
    nodes = gauge(registry, "drydock_campaign_nodes", "Nodes of a campaign by state.");
    phase = gauge(registry, "drydock_campaign_phase", "1 for the phase that a campaign is in.");
    out =
        gauge(
            registry,
            "drydock_budget_nodes_out",
            "Nodes out of service in the domain with the least room, per budget level.");
    allowed =
        gauge(
            registry,
            "drydock_budget_nodes_allowed",
            "Nodes that may be out of service in the domain with the least room, per budget level.");
  }

  private static MultiGauge gauge(MeterRegistry registry, String name, String description) {
    return MultiGauge.builder(name).description(description).register(registry);
  }

  /** Counts anew; to be called before the registry is read. */
  public synchronized void refresh(List<CampaignSample> all) {
    List<Row<?>> nodeRows = new ArrayList<>();
    List<Row<?>> phaseRows = new ArrayList<>();
    for (CampaignSample campaign : all) {
      Tags name = Tags.of("campaign", campaign.name());
      nodeRows.add(Row.of(name.and("state", "waiting"), campaign.counts().waiting()));
      nodeRows.add(Row.of(name.and("state", "in_flight"), campaign.counts().inFlight()));
      nodeRows.add(Row.of(name.and("state", "done"), campaign.counts().done()));
      nodeRows.add(Row.of(name.and("state", "failed"), campaign.counts().failed()));
      for (CampaignPhase each : CampaignPhase.values()) {
        String word = each.name().toLowerCase(Locale.ROOT);
        phaseRows.add(Row.of(name.and("phase", word), each == campaign.phase() ? 1 : 0));
      }
    }
    nodes.register(nodeRows, true);
    phase.register(phaseRows, true);
    out.register(uses(all, DomainUse::out), true);
    allowed.register(uses(all, DomainUse::allowed), true);
  }

  private static List<Row<?>> uses(List<CampaignSample> all, ToIntFunction<DomainUse> figure) {
    List<Row<?>> rows = new ArrayList<>();
    for (CampaignSample campaign : all) {
      for (DomainUse use : campaign.tightest()) {
        String level = use.domain().replaceFirst("=.*", "");
        Tags tags = Tags.of("campaign", campaign.name(), "level", level);
        rows.add(Row.of(tags, figure.applyAsInt(use)));
      }
    }
    return rows;
  }
}
