package dev.drydock.app.operator;

import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.lifecycle.oversee.UnclaimedEventController;
import dev.drydock.maintenance.campaign.CampaignController;
import dev.drydock.maintenance.control.MaintenanceController;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.MaintenanceInput;
import dev.drydock.maintenance.metrics.MaintenanceMetrics;
import dev.drydock.maintenance.metrics.MaintenanceSample;
import dev.drydock.maintenance.notify.Channels;
import dev.drydock.maintenance.notify.Notice;
import dev.drydock.maintenance.notify.NoticeCounter;
import dev.drydock.maintenance.notify.Outbox;
import dev.drydock.maintenance.notify.OutboxSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What is served while this process leads: maintenances with their notices, and lifecycle events.
 */
final class LeaderControllers implements AutoCloseable {
  private static final int PAGE_SIZE = 500;

  private final KubernetesClient own;
  private final KubeHttp http;
  private final Outbox outbox;
  private final CampaignController campaigns;
  private final MaintenanceController maintenances;
  private final UnclaimedEventController controller;
  private final DrainEngine engine;
  private final OperatorServices services;
  private final String namespace;

  LeaderControllers(
      KubernetesClient client,
      String namespace,
      OperatorConfig config,
      OperatorServices services,
      DrainEngine engine) {
    this.namespace = namespace;
    this.engine = engine;
    this.services = services;
    Clock clock = Clock.systemUTC();
    // The engine makes many requests of its own, and a connection takes only so many.
    own = new KubernetesClientBuilder().withConfig(client.getConfiguration()).build();
    http = new KubeHttp(own, RequestInterceptor.NONE, PAGE_SIZE);
    MaintenanceMetrics metrics = services.metrics();
    controller = new UnclaimedEventController(http, clock, config.lifecycle().unclaimedAfter());
    outbox =
        new Outbox(
            http,
            OutboxSettings.usual(namespace).withRetention(config.notifications().retention()),
            Channels.open(config.notifications().channels(), clock),
            new Counter(metrics));
    campaigns =
        new CampaignController(
            own,
            new CampaignController.Settings(namespace, config.budgets(), config.syncPeriod()),
            engine::stopped,
            clock,
            RequestInterceptor.NONE);
    maintenances =
        new MaintenanceController(
            own,
            new MaintenanceController.Settings(
                new MaintenanceInput.Rules(
                    config.slaPeriod(),
                    config.uncordonDuringMaintenance() == OperatorConfig.Uncordon.RECORDON),
                config.syncPeriod()),
            new MaintenanceController.Dependencies(
                clock,
                RequestInterceptor.NONE,
                engine.holds(),
                campaigns,
                (maintenance, event, cancelled) -> {
                  Notice notice =
                      Notice.of(
                          event,
                          clock.instant(),
                          Notice.Subject.of(maintenance.facts(), maintenance.client()));
                  outbox.append(cancelled ? notice.afterCancellation() : notice);
                },
                new Figures(metrics)));
  }

  /** With the usual settings, counted by nobody. */
  static Operator.Controllers usual(KubernetesClient client, String namespace) {
    OperatorConfig config = ConfigReader.usual();
    return engine -> {
      OperatorServices services = new OperatorServices(client, namespace, config, () -> true);
      LeaderControllers controllers =
          new LeaderControllers(client, namespace, config, services, engine);
      controllers.start();
      return () -> {
        controllers.close();
        services.close();
      };
    };
  }

  void start() {
    outbox.start();
    engine.obeyCord(
        namespace,
        () -> {
          maintenances.lookAgain("");
          campaigns.lookAgain();
        });
    services.count(campaigns::samples);
    campaigns.serve(maintenances);
    maintenances.start();
    controller.start();
  }

  @Override
  public void close() {
    services.count(List::of);
    controller.close();
    campaigns.close();
    maintenances.close();
    outbox.close();
    http.close();
    own.close();
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

  private record Figures(MaintenanceMetrics metrics) implements MaintenanceController.Watcher {
    @Override
    public void left(NotifyMaintenanceObject before, Instant now) {
      metrics.left(
          sample(before), before.facts().state().text(), Duration.between(before.since(), now));
    }

    @Override
    public void completed(NotifyMaintenanceObject before, Instant now) {
      metrics.completed(sample(before), Duration.between(before.facts().identity().created(), now));
    }

    private static MaintenanceSample sample(NotifyMaintenanceObject seen) {
      String owner = seen.facts().spec().owner();
      return new MaintenanceSample(
          seen.facts().identity().namespace(),
          seen.facts().identity().name(),
          seen.facts().spec().maintenanceID(),
          seen.facts().node(),
          owner == null ? "" : owner,
          seen.facts().spec().maintenanceType(),
          seen.facts().state().text(),
          seen.facts().identity().created());
    }
  }
}
