package dev.drydock.health.operator;

import dev.drydock.cli.CommandFailure;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.drain.LeaderEngine;
import dev.drydock.health.config.ConfigFileInvalid;
import dev.drydock.health.quarantine.QuarantineController;
import dev.drydock.health.quarantine.QuarantineMetrics;
import dev.drydock.health.resource.ResourceTemplate;
import dev.drydock.health.resource.ResourceTemplateInvalid;
import dev.drydock.health.rules.QuarantineRules;
import dev.drydock.health.rules.RuleFile;
import dev.drydock.health.rules.ValidationRules;
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

/** The quarantine of nodes in an operator process: the leader decides on stored events. */
public final class FaultQuarantineOperator implements OperatorPart {
  private final OperatorContext context;
  private final Map<String, String> environment;
  private final QuarantineRules rules;
  private final Optional<ResourceTemplate> validation;
  private final QuarantineMetrics metrics;
  private volatile @Nullable QuarantineController quarantines;
  private volatile @Nullable StoreWorkers leading;

  /**
   * Reads the rules.
   *
   * @throws CommandFailure if the rules cannot be used: better no operator than one that leaves
   *     sick nodes in service
   */
  public FaultQuarantineOperator(OperatorContext context, Map<String, String> environment) {
    this.context = context;
    this.environment = environment;
    Settings settings = context.settings();
    rules = rules(settings);
    validation = rules.validation().map(FaultQuarantineOperator::template);
    metrics =
        new QuarantineMetrics(context.meters(), settings.get(QuarantineSettings.METRICS_PER_NODE));
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
    List<StoreWorkers.Worker> workers = new ArrayList<>();
    CordonsUnderWay cordons = CordonsUnderWay.of(term);
    workers.add(new StoreWorkers.Worker("quarantine", store -> quarantine(shared, store, cordons)));
    validation.ifPresent(
        template ->
            workers.add(new StoreWorkers.Worker("validation", store -> validate(store, template))));
    StoreWorkers leader =
        new StoreWorkers(
            context.kube(),
            HealthNames.FAULT_QUARANTINE,
            SharedEventStore.of(context, environment, term).use(),
            workers);
    leading = leader;
    leader.start();
    return () -> {
      leading = null;
      leader.close();
    };
  }

  @Override
  public List<String> unready() {
    return Optional.ofNullable(leading).flatMap(StoreWorkers::unready).stream().toList();
  }

  private AutoCloseable quarantine(LeaderEngine shared, EventStore store, CordonsUnderWay cordons) {
    QuarantineController controller =
        new QuarantineController(
            context.kube(),
            store,
            rules,
            QuarantineSettings.options(context.settings(), context.namespace()),
            metrics,
            shared.engine()::stopped);
    shared.onCord(controller::wake);
    quarantines = controller;
    cordons.are(controller::isBusy);
    controller.start();
    return () -> {
      quarantines = null;
      cordons.are(() -> false);
      controller.close();
    };
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
