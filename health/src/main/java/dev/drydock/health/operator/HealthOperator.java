package dev.drydock.health.operator;

import dev.drydock.cli.CommandFailure;
import dev.drydock.drain.LeaderEngine;
import dev.drydock.health.condition.ConditionController;
import dev.drydock.health.condition.ConditionMetrics;
import dev.drydock.health.decide.FaultCondition;
import dev.drydock.health.quarantine.QuarantineController;
import dev.drydock.health.quarantine.QuarantineMetrics;
import dev.drydock.health.rules.QuarantineRules;
import dev.drydock.health.rules.RuleFile;
import dev.drydock.health.rules.RuleFileInvalid;
import dev.drydock.health.store.EventStore;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.Settings;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Health events in an operator process: the leader stores them and works on them. */
public final class HealthOperator implements OperatorPart {
  private final OperatorContext context;
  private final Map<String, String> environment;
  private final QuarantineRules rules;
  private final QuarantineMetrics quarantineMetrics;
  private final ConditionMetrics conditionMetrics;
  private volatile @Nullable QuarantineController quarantines;

  /**
   * Reads the rules.
   *
   * @throws CommandFailure if the rules cannot be used: better no operator than one that leaves
   *     sick nodes in service
   */
  public HealthOperator(OperatorContext context, Map<String, String> environment) {
    this.context = context;
    this.environment = environment;
    Settings settings = context.settings();
    rules = rules(settings);
    quarantineMetrics =
        new QuarantineMetrics(context.meters(), settings.get(QuarantineSettings.METRICS_PER_NODE));
    conditionMetrics = new ConditionMetrics(context.meters());
  }

  private static QuarantineRules rules(Settings settings) {
    try {
      QuarantineRules read =
          settings.get(QuarantineSettings.RULES).map(RuleFile::read).orElseGet(RuleFile::shipped);
      return settings.get(QuarantineSettings.BREAKER_ENABLED)
          ? read
          : read.withBreaker(read.breaker().disabled());
    } catch (RuleFileInvalid invalid) {
      throw new CommandFailure(String.valueOf(invalid.getMessage()), invalid);
    }
  }

  @Override
  public AutoCloseable lead(LeaderTerm term) {
    LeaderEngine shared = LeaderEngine.of(context, term);
    HealthLeader leader =
        new HealthLeader(
            context,
            environment,
            List.of(store -> quarantine(shared, store), this::showConditions));
    leader.start();
    return leader;
  }

  private AutoCloseable quarantine(LeaderEngine shared, EventStore store) {
    QuarantineController controller =
        new QuarantineController(
            context.kube(),
            store,
            rules,
            QuarantineSettings.options(context.settings(), context.namespace()),
            quarantineMetrics,
            shared.engine()::stopped);
    shared.onCord(controller::wake);
    quarantines = controller;
    controller.start();
    return () -> {
      quarantines = null;
      controller.close();
    };
  }

  private AutoCloseable showConditions(EventStore store) {
    Settings settings = context.settings();
    ConditionController controller =
        new ConditionController(
            context.kube(),
            store,
            new FaultCondition.Lengths(
                settings.get(QuarantineSettings.MESSAGE_LENGTH),
                settings.get(QuarantineSettings.COMPACTED_LENGTH)),
            conditionMetrics);
    controller.start();
    return controller;
  }

  @Override
  public void refreshMetrics() {
    QuarantineController present = quarantines;
    if (present != null) {
      present.refreshMetrics();
    }
  }
}
