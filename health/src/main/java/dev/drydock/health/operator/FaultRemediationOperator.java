package dev.drydock.health.operator;

import dev.drydock.cli.CommandFailure;
import dev.drydock.drain.LeaderEngine;
import dev.drydock.health.config.ConfigFileInvalid;
import dev.drydock.health.remediation.RemediationConfig;
import dev.drydock.health.remediation.RemediationController;
import dev.drydock.health.remediation.RemediationFile;
import dev.drydock.health.remediation.RemediationMetrics;
import dev.drydock.health.remediation.RemediationOptions;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.Settings;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Remediation in an operator process: the leader makes maintenance resources. */
public final class FaultRemediationOperator implements OperatorPart {
  private final OperatorContext context;
  private final Map<String, String> environment;
  private final RemediationConfig config;
  private final RemediationMetrics metrics;
  private volatile @Nullable RemediationController leading;

  /**
   * Reads the configuration.
   *
   * @throws CommandFailure if it cannot be used
   */
  public FaultRemediationOperator(OperatorContext context, Map<String, String> environment) {
    this.context = context;
    this.environment = environment;
    config = config(context.settings());
    metrics = new RemediationMetrics(context.meters());
  }

  private static RemediationConfig config(Settings settings) {
    try {
      return settings
          .get(RemediationSettings.CONFIG)
          .map(RemediationFile::read)
          .orElseGet(() -> RemediationConfig.of(RemediationSettings.maintenance(settings)));
    } catch (ConfigFileInvalid invalid) {
      throw new CommandFailure(String.valueOf(invalid.getMessage()), invalid);
    }
  }

  @Override
  public AutoCloseable lead(LeaderTerm term) {
    LeaderEngine engine = LeaderEngine.of(context, term);
    SharedEventStore.Use store = SharedEventStore.of(context, environment, term).use();
    RemediationController controller =
        new RemediationController(
            context.kube(),
            store,
            config,
            new RemediationOptions(
                context.namespace(), context.settings().get(RemediationSettings.DRY_RUN)),
            metrics,
            engine.engine()::stopped);
    engine.onCord(controller::wake);
    leading = controller;
    controller.start();
    return () -> {
      leading = null;
      controller.close();
      store.close();
    };
  }

  @Override
  public void refreshMetrics() {
    Optional.ofNullable(leading).ifPresent(RemediationController::refreshMetrics);
  }
}
