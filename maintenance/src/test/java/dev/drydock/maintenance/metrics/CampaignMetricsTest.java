package dev.drydock.maintenance.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.v1alpha1.CampaignPhase;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignStatus.Counts;
import dev.drydock.maintenance.campaign.CampaignSample;
import dev.drydock.maintenance.decide.campaign.DomainUse;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

class CampaignMetricsTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final CampaignMetrics metrics = new CampaignMetrics(registry);

  private List<String> lines(String name) {
    return registry.scrape().lines().filter(line -> line.startsWith(name + "{")).toList();
  }

  @Test
  void showsNodesPhaseAndTheTightestDomainOfEachLevel() {
    metrics.refresh(
        List.of(
            new CampaignSample(
                "fw",
                CampaignPhase.Running,
                new Counts(10, 6, 2, 1, 1),
                List.of(
                    new DomainUse("the cluster", 100, 3, 10, List.of()),
                    new DomainUse("example.com/rack=r7", 4, 1, 1, List.of("n: cordoned"))))));

    assertThat(lines("drydock_campaign_nodes"))
        .containsExactlyInAnyOrder(
            "drydock_campaign_nodes{campaign=\"fw\",state=\"waiting\"} 6.0",
            "drydock_campaign_nodes{campaign=\"fw\",state=\"in_flight\"} 2.0",
            "drydock_campaign_nodes{campaign=\"fw\",state=\"done\"} 1.0",
            "drydock_campaign_nodes{campaign=\"fw\",state=\"failed\"} 1.0");
    assertThat(lines("drydock_campaign_phase"))
        .hasSameSizeAs(CampaignPhase.values())
        .contains("drydock_campaign_phase{campaign=\"fw\",phase=\"running\"} 1.0")
        .contains("drydock_campaign_phase{campaign=\"fw\",phase=\"halted\"} 0.0");
    assertThat(lines("drydock_budget_nodes_out"))
        .containsExactlyInAnyOrder(
            "drydock_budget_nodes_out{campaign=\"fw\",level=\"the cluster\"} 3.0",
            "drydock_budget_nodes_out{campaign=\"fw\",level=\"example.com/rack\"} 1.0");
    assertThat(lines("drydock_budget_nodes_allowed")).hasSize(2);
  }

  @Test
  void forgetsCampaignsThatAreGone() {
    metrics.refresh(
        List.of(
            new CampaignSample(
                "fw", CampaignPhase.Completed, new Counts(0, 0, 0, 0, 0), List.of())));
    metrics.refresh(List.of());

    assertThat(lines("drydock_campaign_nodes")).isEmpty();
    assertThat(lines("drydock_campaign_phase")).isEmpty();
  }
}
