package dev.drydock.health.operator;

import dev.drydock.cli.CommandFailure;
import dev.drydock.drain.LeaderEngine;
import dev.drydock.health.config.ConfigFileInvalid;
import dev.drydock.health.customdrain.CustomDrainConfig;
import dev.drydock.health.customdrain.CustomDrains;
import dev.drydock.health.drainer.NodeDrainerConfig;
import dev.drydock.health.drainer.NodeDrainerController;
import dev.drydock.health.drainer.NodeDrainerFile;
import dev.drydock.health.drainer.NodeDrainerMetrics;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The node drainer in an operator process: the leader drains. */
public final class NodeDrainerOperator implements OperatorPart {
  private final OperatorContext context;
  private final Map<String, String> environment;
  private final NodeDrainerConfig config;
  private final NodeDrainerMetrics metrics;
  private volatile @Nullable NodeDrainerController leading;

  /**
   * Reads the configuration.
   *
   * @throws CommandFailure if it cannot be used
   */
  public NodeDrainerOperator(OperatorContext context, Map<String, String> environment) {
    this.context = context;
    this.environment = environment;
    Settings settings = context.settings();
    try {
      config =
          settings
              .get(NodeDrainerSettings.CONFIG)
              .map(NodeDrainerFile::read)
              .orElseGet(NodeDrainerFile::defaults);
    } catch (ConfigFileInvalid invalid) {
      throw new CommandFailure(String.valueOf(invalid.getMessage()), invalid);
    }
    metrics =
        new NodeDrainerMetrics(
            context.meters(),
            settings.get(NodeDrainerSettings.METRICS_PER_NODE),
            config.entityMetric());
  }

  /** Drains that nobody could be asked for would fail one after the other. */
  @Override
  public void start() {
    config
        .customDrain()
        .filter(custom -> !custom.waitForKind())
        .ifPresent(
            custom -> {
              try (CustomDrains drains = new CustomDrains(context.kube(), custom, _ -> {})) {
                requireServed(drains, custom);
              }
            });
  }

  private static void requireServed(CustomDrains drains, CustomDrainConfig custom) {
    if (!drains.isServed()) {
      throw new CommandFailure(
          "customDrain: the cluster does not serve %s of %s; install its CRD, or set customDrain.waitForKind"
              .formatted(custom.kind(), custom.apiVersion()));
    }
  }

  @Override
  public AutoCloseable lead(LeaderTerm term) {
    LeaderEngine engine = LeaderEngine.of(context, term);
    SharedEventStore.Use store = SharedEventStore.of(context, environment, term).use();
    NodeDrainerController controller =
        new NodeDrainerController(
            engine.engine(),
            store,
            config,
            new NodeDrainerController.Options(
                context.namespace(), context.settings().get(NodeDrainerSettings.DRY_RUN)),
            metrics);
    engine.onCord(controller::wakeAll);
    // before its drains end, which it would take for their ends
    engine.engine().onClose(controller::close);
    leading = controller;
    controller.start();
    return () -> {
      leading = null;
      controller.close();
      store.close();
    };
  }

  @Override
  public List<String> unready() {
    return Optional.ofNullable(leading).flatMap(NodeDrainerController::unready).stream().toList();
  }

  @Override
  public void refreshMetrics() {
    NodeDrainerController present = leading;
    if (present != null) {
      present.refreshMetrics();
    }
  }
}
