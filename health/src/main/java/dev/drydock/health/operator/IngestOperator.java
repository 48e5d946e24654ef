package dev.drydock.health.operator;

import dev.drydock.cli.CommandFailure;
import dev.drydock.health.condition.ConditionController;
import dev.drydock.health.condition.ConditionMetrics;
import dev.drydock.health.connector.ConnectorConfigReader;
import dev.drydock.health.connector.EventIntake;
import dev.drydock.health.decide.FaultCondition;
import dev.drydock.health.slurm.SlurmDrainConfig;
import dev.drydock.health.slurm.SlurmDrainMonitor;
import dev.drydock.health.store.EventStore;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The central ingest in an operator process: the leader stores events and shows them on nodes. */
public final class IngestOperator implements OperatorPart {
  private final OperatorContext context;
  private final Map<String, String> environment;
  private final EventIntake intake;
  private final Optional<SlurmDrainConfig> slurmDrains;
  private final ConditionMetrics conditionMetrics;
  private volatile @Nullable IngestLeader leading;

  /**
   * Reads the configuration.
   *
   * @throws CommandFailure if it cannot be used
   */
  public IngestOperator(OperatorContext context, Map<String, String> environment) {
    this.context = context;
    this.environment = environment;
    Settings settings = context.settings();
    try {
      intake =
          settings
              .get(HealthSettings.INGEST_CONFIG)
              .map(ConnectorConfigReader::read)
              .map(config -> EventIntake.of(config, context.kube(), context.meters()))
              .orElse(EventIntake.PLAIN);
      slurmDrains = settings.get(HealthSettings.SLURM_DRAINS).map(SlurmDrainConfig::read);
    } catch (IllegalArgumentException invalid) {
      throw new CommandFailure(String.valueOf(invalid.getMessage()), invalid);
    }
    conditionMetrics = new ConditionMetrics(context.meters());
  }

  @Override
  public AutoCloseable lead(LeaderTerm term) {
    SharedEventStore store = SharedEventStore.of(context, environment, term);
    CordonsUnderWay cordons = CordonsUnderWay.of(term);
    List<StoreWorkers.Worker> workers = new ArrayList<>();
    workers.add(new StoreWorkers.Worker("conditions", open -> showConditions(open, cordons)));
    slurmDrains.ifPresent(
        config ->
            workers.add(
                new StoreWorkers.Worker("slurm drains", open -> monitorSlurm(open, config))));
    IngestLeader leader =
        new IngestLeader(
            context,
            store.use(),
            intake,
            new StoreWorkers(context.kube(), "ingest", store.use(), workers));
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
    IngestLeader leader = leading;
    return leader == null ? List.of() : leader.unready().stream().toList();
  }

  private AutoCloseable showConditions(EventStore store, CordonsUnderWay cordons) {
    Settings settings = context.settings();
    ConditionController controller =
        new ConditionController(
            context.kube(),
            store,
            new FaultCondition.Lengths(
                settings.get(HealthSettings.MESSAGE_LENGTH),
                settings.get(HealthSettings.COMPACTED_LENGTH)),
            conditionMetrics,
            cordons);
    controller.start();
    return controller;
  }

  private AutoCloseable monitorSlurm(EventStore store, SlurmDrainConfig config) {
    SlurmDrainMonitor monitor =
        new SlurmDrainMonitor(context.kube(), store, config, context.meters());
    monitor.start();
    return monitor;
  }
}
