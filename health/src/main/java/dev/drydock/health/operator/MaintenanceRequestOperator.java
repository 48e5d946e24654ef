package dev.drydock.health.operator;

import dev.drydock.health.request.MaintenanceRequestController;
import dev.drydock.health.request.MaintenanceRequestRule;
import dev.drydock.health.store.EventStore;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.WebhookEndpoint;
import dev.drydock.serve.tls.WebhookConfiguration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * MaintenanceRequests in an operator process: every process checks them, the leader serves them.
 */
public final class MaintenanceRequestOperator implements OperatorPart {
  private static final WebhookConfiguration WEBHOOKS =
      WebhookConfiguration.validating("drydock-maintenance-request");

  private final OperatorContext context;
  private final Map<String, String> environment;

  public MaintenanceRequestOperator(OperatorContext context, Map<String, String> environment) {
    this.context = context;
    this.environment = environment;
  }

  @Override
  public List<WebhookEndpoint> webhooks() {
    return List.of(
        new WebhookEndpoint(
            WEBHOOKS,
            MaintenanceRequestRule.PATH,
            new MaintenanceRequestRule(context.kube().http(), context.kube().clock())));
  }

  @Override
  public AutoCloseable lead(LeaderTerm term) {
    Optional<SharedEventStore.Use> store =
        context.settings().get(MaintenanceRequestSettings.PUBLISH_EVENTS)
            ? Optional.of(SharedEventStore.of(context, environment, term).use())
            : Optional.empty();
    MaintenanceRequestController controller =
        new MaintenanceRequestController(
            context.kube(),
            store.<Supplier<EventStore>>map(use -> use),
            MaintenanceRequestSettings.options(context.settings()));
    controller.start();
    return () -> {
      controller.close();
      store.ifPresent(SharedEventStore.Use::close);
    };
  }
}
