package dev.drydock.app.operator;

import dev.drydock.drain.kube.Drains;
import dev.drydock.kube.CallHook;
import dev.drydock.kube.KubeHttp;
import dev.drydock.lifecycle.oversee.Overseer;
import dev.drydock.maintenance.campaign.Campaigns;
import dev.drydock.maintenance.control.MaintenanceSeen;
import dev.drydock.maintenance.control.Maintenances;
import dev.drydock.maintenance.decide.MaintenanceScene;
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
final class MaintenanceControllers implements AutoCloseable {
  private static final int PAGE_SIZE = 500;

  private final KubernetesClient own;
  private final KubeHttp http;
  private final Outbox outbox;
  private final Campaigns campaigns;
  private final Maintenances maintenances;
  private final Overseer overseer;
  private final Drains engine;
  private final OperatorServices services;
  private final String namespace;

  MaintenanceControllers(
      KubernetesClient client,
      String namespace,
      OperatorConfig config,
      OperatorServices services,
      Drains engine) {
    this.namespace = namespace;
    this.engine = engine;
    this.services = services;
    Clock clock = Clock.systemUTC();
    // The engine makes many requests of its own, and a connection takes only so many.
    own = new KubernetesClientBuilder().withConfig(client.getConfiguration()).build();
    http = new KubeHttp(own, CallHook.NONE, PAGE_SIZE);
    MaintenanceMetrics metrics = services.metrics();
    overseer = new Overseer(http, clock, config.lifecycle().unclaimedAfter());
    outbox =
        new Outbox(
            http,
            OutboxSettings.usual(namespace).withRetention(config.notifications().retention()),
            Channels.open(config.notifications().channels(), clock),
            new Counter(metrics));
    campaigns =
        new Campaigns(
            own,
            new Campaigns.Settings(namespace, config.budgets(), config.syncPeriod()),
            engine::stopped,
            clock,
            CallHook.NONE);
    maintenances =
        new Maintenances(
            own,
            new Maintenances.Settings(
                new MaintenanceScene.Rules(
                    config.slaPeriod(),
                    config.uncordonDuringMaintenance() == OperatorConfig.Uncordon.RECORDON),
                config.syncPeriod()),
            new Maintenances.Surroundings(
                clock,
                CallHook.NONE,
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
      MaintenanceControllers controllers =
          new MaintenanceControllers(client, namespace, config, services, engine);
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
    overseer.start();
  }

  @Override
  public void close() {
    services.count(List::of);
    overseer.close();
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

  private record Figures(MaintenanceMetrics metrics) implements Maintenances.Watcher {
    @Override
    public void left(MaintenanceSeen before, Instant now) {
      metrics.left(
          sample(before), before.facts().state().text(), Duration.between(before.since(), now));
    }

    @Override
    public void completed(MaintenanceSeen before, Instant now) {
      metrics.completed(sample(before), Duration.between(before.facts().identity().created(), now));
    }

    private static MaintenanceSample sample(MaintenanceSeen seen) {
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
