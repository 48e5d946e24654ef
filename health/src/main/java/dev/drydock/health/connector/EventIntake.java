package dev.drydock.health.connector;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.metrics.SeriesBound;
import dev.drydock.health.transform.Deduplicator;
import dev.drydock.health.transform.MetadataAugmentor;
import dev.drydock.health.transform.OverrideTransformer;
import dev.drydock.health.transform.TransformPipeline;
import dev.drydock.health.transform.TransformerFiles;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import io.grpc.StatusException;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a connector's configuration does to events on their way into the spool or the store.
 *
 * @param taken is told of each event that was kept
 */
public record EventIntake(TransformPipeline pipeline, Consumer<HealthEvent> taken) {
  /** Changes nothing. */
  public static final EventIntake PLAIN = new EventIntake(TransformPipeline.EMPTY, _ -> {});

  private static final int MOST_SERIES = 1000;

  /** Where events are kept. */
  @FunctionalInterface
  public interface Keeper {
    /**
     * Returns when they are safe.
     *
     * @throws StatusException if the caller has to send them again
     */
    void keep(List<HealthEvent> events) throws StatusException;
  }

  /**
   * As a configuration says.
   *
   * @throws IllegalArgumentException with one line that says what is wrong where
   */
  public static EventIntake of(ConnectorConfig config, Kube kube, MeterRegistry meters) {
    return new EventIntake(
        pipeline(config, kube, meters), config.countEvents() ? counter(meters) : _ -> {});
  }

  /**
   * Transforms a batch and has it kept. What transformers remember of a batch that is not kept is
   * forgotten: it comes again, and must not be taken for a repeat of itself.
   *
   * @throws StatusException if it was not kept
   */
  public void take(List<HealthEvent> batch, Keeper keeper) throws StatusException {
    List<Runnable> ifRefused = new ArrayList<>();
    boolean kept = false;
    try {
      List<HealthEvent> events =
          batch.stream().map(event -> pipeline.apply(event, ifRefused::add)).toList();
      keeper.keep(events);
      kept = true;
      events.forEach(taken);
    } finally {
      if (!kept) {
        ifRefused.forEach(Runnable::run);
      }
    }
  }

  private static TransformPipeline pipeline(
      ConnectorConfig config, Kube kube, MeterRegistry meters) {
    List<TransformPipeline.Stage> stages = new ArrayList<>();
    for (ConnectorConfig.Stage stage : config.stages()) {
      switch (stage.name()) {
        case MetadataAugmentor.NAME ->
            stages.add(
                new TransformPipeline.Stage(
                    stage.name(),
                    new MetadataAugmentor(
                        TransformerFiles.metadata(stage.file()),
                        kube.clock(),
                        node -> facts(kube, node))));
        case OverrideTransformer.NAME ->
            TransformerFiles.overrides(stage.file())
                .ifPresent(
                    rules ->
                        stages.add(
                            new TransformPipeline.Stage(
                                stage.name(), overrides(stage.file(), rules, meters))));
        default ->
            stages.add(
                new TransformPipeline.Stage(
                    stage.name(),
                    new Deduplicator(
                        TransformerFiles.deduplicator(stage.file()), kube.clock(), meters)));
      }
    }
    return new TransformPipeline(stages);
  }

  private static OverrideTransformer overrides(
      Path file, List<OverrideTransformer.Rule> rules, MeterRegistry meters) {
    try {
      return new OverrideTransformer(rules, meters);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("%s: %s".formatted(file, wrong.getMessage()), wrong);
    }
  }

  private static Optional<MetadataAugmentor.NodeFacts> facts(Kube kube, String name) {
    return kube.http().find(Resource.NODES, "", name).map(EventIntake::facts);
  }

  private static MetadataAugmentor.NodeFacts facts(JsonNode node) {
    return new MetadataAugmentor.NodeFacts(
        Fields.text(node.path("spec"), "providerID"),
        Fields.texts(node.path("metadata").path("labels")));
  }

  private static Consumer<HealthEvent> counter(MeterRegistry meters) {
    SeriesBound series = new SeriesBound(MOST_SERIES);
    return event -> {
      List<String> labels =
          series.values(
              event.nodeName(),
              event.agent(),
              event.checkName(),
              event.recommendedAction().name(),
              Boolean.toString(event.isFatal()),
              Boolean.toString(event.isHealthy()));
      meters
          .counter(
              "health_events",
              "node",
              labels.get(0),
              "agent",
              labels.get(1),
              "check_name",
              labels.get(2),
              "recommended_action",
              labels.get(3),
              "is_fatal",
              labels.get(4),
              "is_healthy",
              labels.get(5))
          .increment();
    };
  }
}
