package dev.drydock.maintenance;

import dev.drydock.drain.LeaderEngine;
import dev.drydock.maintenance.admission.CampaignRule;
import dev.drydock.maintenance.admission.NotifyMaintenanceRule;
import dev.drydock.maintenance.campaign.CampaignController;
import dev.drydock.maintenance.campaign.CampaignSample;
import dev.drydock.maintenance.control.MaintenanceController;
import dev.drydock.maintenance.decide.MaintenanceInput;
import dev.drydock.maintenance.metrics.CampaignMetrics;
import dev.drydock.maintenance.metrics.MaintenanceFigures;
import dev.drydock.maintenance.metrics.MaintenanceMetrics;
import dev.drydock.maintenance.metrics.MaintenanceWatch;
import dev.drydock.maintenance.notify.Channels;
import dev.drydock.maintenance.notify.Notice;
import dev.drydock.maintenance.notify.NoticeCounter;
import dev.drydock.maintenance.notify.Outbox;
import dev.drydock.maintenance.notify.OutboxSettings;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.Settings;
import dev.drydock.serve.feature.WebhookEndpoint;
import dev.drydock.serve.tls.WebhookConfiguration;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;

/**
 * Maintenances in an operator process: every process counts them and answers the API servers'
 * questions, the leader serves them with their notices and campaigns.
 */
final class MaintenanceOperator implements OperatorPart {
  private static final WebhookConfiguration WEBHOOKS = WebhookConfiguration.validating("drydock");

  private final OperatorContext context;
  private final Clock clock;
  private final MaintenanceWatch watch;
  private final MaintenanceMetrics metrics;
  private final CampaignMetrics campaignMetrics;
  private volatile Supplier<List<CampaignSample>> campaigns = List::of;

  MaintenanceOperator(OperatorContext context) {
    this.context = context;
    clock = context.kube().clock();
    watch = new MaintenanceWatch(context.kube());
    metrics =
        new MaintenanceMetrics(
            context.meters(),
            // were all processes to count, sums would be wrong
            () -> context.leading().getAsBoolean() ? watch.samples() : List.of(),
            new MaintenanceMetrics.Series(
                context.settings().get(MaintenanceSettings.METRICS_PER_OBJECT),
                context.settings().get(MaintenanceSettings.METRICS_KEEP_GONE),
                context.settings().get(MaintenanceSettings.METRICS_MOST_GONE)),
            clock);
    campaignMetrics = new CampaignMetrics(context.meters());
  }

  @Override
  public void start() {
    watch.start();
  }

  @Override
  public List<WebhookEndpoint> webhooks() {
    return List.of(
        new WebhookEndpoint(
            WEBHOOKS, NotifyMaintenanceRule.PATH, new NotifyMaintenanceRule(context.kube().http())),
        new WebhookEndpoint(
            WEBHOOKS, CampaignRule.PATH, new CampaignRule(context.kube().http(), clock)));
  }

  @Override
  public void refreshMetrics() {
    metrics.refresh();
    campaignMetrics.refresh(campaigns.get());
  }

  @Override
  public AutoCloseable lead(LeaderTerm term) {
    LeaderEngine shared = LeaderEngine.of(context, term);
    Outbox outbox = outbox();
    CampaignController campaign = campaigns(shared);
    MaintenanceController maintenances = maintenances(shared, campaign, outbox);
    outbox.start();
    shared.onCord(
        () -> {
          maintenances.resync("");
          campaign.resync();
        });
    campaigns = campaign::samples;
    campaign.serve(maintenances);
    maintenances.start();
    return () -> {
      campaigns = List::of;
      campaign.close();
      maintenances.close();
      outbox.close();
    };
  }

  private Outbox outbox() {
    Settings settings = context.settings();
    return new Outbox(
        context.kube(),
        OutboxSettings.defaults(context.namespace())
            .withRetention(settings.get(MaintenanceSettings.RETENTION)),
        Channels.open(settings.get(MaintenanceSettings.CHANNELS), clock),
        new Counter(metrics));
  }

  private CampaignController campaigns(LeaderEngine shared) {
    return new CampaignController(
        context.kube(),
        new CampaignController.Settings(
            context.namespace(), context.settings().get(MaintenanceSettings.BUDGETS)),
        shared.engine()::stopped);
  }

  private MaintenanceController maintenances(
      LeaderEngine shared, CampaignController campaign, Outbox outbox) {
    Settings settings = context.settings();
    return new MaintenanceController(
        context.kube(),
        new MaintenanceInput.Rules(
            settings.get(MaintenanceSettings.SLA_PERIOD),
            settings.get(MaintenanceSettings.UNCORDON_DURING_MAINTENANCE)
                == MaintenanceSettings.Uncordon.RECORDON),
        settings.get(MaintenanceSettings.JOB_LOGS),
        new MaintenanceController.Dependencies(
            shared.engine(),
            campaign,
            (maintenance, event, completion) ->
                outbox.append(
                    new Notice(
                        event,
                        clock.instant(),
                        completion,
                        Notice.Subject.of(maintenance.facts(), maintenance.client()))),
            new MaintenanceFigures(metrics)));
  }

  @Override
  public void close() {
    watch.close();
  }

  private record Counter(MaintenanceMetrics metrics) implements NoticeCounter {
    @Override
    public void delivered(String channel) {
      metrics.notified(channel, true);
    }

    @Override
    public void failed(String channel) {
      metrics.notified(channel, false);
    }
  }
}
