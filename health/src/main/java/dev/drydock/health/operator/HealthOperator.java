package dev.drydock.health.operator;

import dev.drydock.cli.CommandFailure;
import dev.drydock.drain.LeaderEngine;
import dev.drydock.health.condition.ConditionController;
import dev.drydock.health.condition.ConditionMetrics;
import dev.drydock.health.config.ConfigFileInvalid;
import dev.drydock.health.decide.FaultCondition;
import dev.drydock.health.quarantine.QuarantineController;
import dev.drydock.health.quarantine.QuarantineMetrics;
import dev.drydock.health.resource.ResourceTemplate;
import dev.drydock.health.resource.ResourceTemplateInvalid;
import dev.drydock.health.rules.QuarantineRules;
import dev.drydock.health.rules.RuleFile;
import dev.drydock.health.rules.ValidationRules;
import dev.drydock.health.slurm.SlurmDrainConfig;
import dev.drydock.health.slurm.SlurmDrainMonitor;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.validation.ValidationController;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Health events in an operator process: the leader stores them and works on them. */
public final class HealthOperator implements OperatorPart {
  private final OperatorContext context;
  private final Map<String, String> environment;
  private final QuarantineRules rules;
  private final Optional<SlurmDrainConfig> slurmDrains;
  private final Optional<ResourceTemplate> validation;
  private final QuarantineMetrics quarantineMetrics;
  private final ConditionMetrics conditionMetrics;
  private volatile @Nullable QuarantineController quarantines;
  private volatile @Nullable HealthLeader leading;

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
    slurmDrains = slurmDrains(settings);
    validation = rules.validation().map(HealthOperator::template);
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
    } catch (ConfigFileInvalid invalid) {
      throw new CommandFailure(String.valueOf(invalid.getMessage()), invalid);
    }
  }

  private static ResourceTemplate template(ValidationRules validation) {
    try {
      return ResourceTemplate.read(validation.templateFolder(), validation.templateFile());
    } catch (ResourceTemplateInvalid invalid) {
      throw new CommandFailure("[validation]: " + invalid.getMessage(), invalid);
    }
  }

  @Override
  public AutoCloseable lead(LeaderTerm term) {
    LeaderEngine shared = LeaderEngine.of(context, term);
    List<HealthLeader.Worker> workers =
        new ArrayList<>(
            List.of(
                new HealthLeader.Worker("quarantine", store -> quarantine(shared, store)),
                new HealthLeader.Worker("conditions", this::showConditions)));
    slurmDrains.ifPresent(
        config ->
            workers.add(
                new HealthLeader.Worker("slurm drains", store -> monitorSlurm(store, config))));
    validation.ifPresent(
        template ->
            workers.add(new HealthLeader.Worker("validation", store -> validate(store, template))));
    HealthLeader leader =
        new HealthLeader(context, SharedEventStore.of(context, environment, term).use(), workers);
    leading = leader;
    leader.start();
    return () -> {
      leading = null;
      leader.close();
    };
  }

  /** A leader without its store takes no events. */
  @Override
  public List<String> unready() {
    HealthLeader leader = leading;
    return leader == null ? List.of() : leader.unready().stream().toList();
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
            conditionMetrics,
            this::isCordoning);
    controller.start();
    return controller;
  }

  private boolean isCordoning() {
    QuarantineController present = quarantines;
    return present != null && present.isBusy();
  }

  private AutoCloseable monitorSlurm(EventStore store, SlurmDrainConfig config) {
    SlurmDrainMonitor monitor =
        new SlurmDrainMonitor(context.kube(), store, config, context.meters());
    monitor.start();
    return monitor;
  }

  private static Optional<SlurmDrainConfig> slurmDrains(Settings settings) {
    try {
      return settings.get(HealthSettings.SLURM_DRAINS).map(SlurmDrainConfig::read);
    } catch (IllegalArgumentException invalid) {
      throw new CommandFailure(String.valueOf(invalid.getMessage()), invalid);
    }
  }

  private AutoCloseable validate(EventStore store, ResourceTemplate template) {
    ValidationController controller =
        new ValidationController(context.kube(), store, rules.validation().orElseThrow(), template);
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
