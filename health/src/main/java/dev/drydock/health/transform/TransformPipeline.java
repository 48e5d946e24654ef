package dev.drydock.health.transform;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.kube.Bugs;
import dev.drydock.kube.ExpectedFailure;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transformers one after the other. One that fails is left out for that event, whatever the reason:
 * an event is worth more than what would have been added to it.
 */
public record TransformPipeline(List<Stage> stages) {
  private static final Logger LOG = LoggerFactory.getLogger(TransformPipeline.class);

  public static final TransformPipeline EMPTY = new TransformPipeline(List.of());

  /** A transformer and its registered name. */
  public record Stage(String name, EventTransformer transformer) {}

  public TransformPipeline {
    stages = List.copyOf(stages);
  }

  /**
   * The event as it goes on.
   *
   * @param ifRefused gets what is to be done if the event is refused afterwards
   */
  public HealthEvent apply(HealthEvent event, Consumer<Runnable> ifRefused) {
    HealthEvent now = event;
    for (Stage stage : stages) {
      now = attempt(stage, now, ifRefused);
    }
    return now;
  }

  private static HealthEvent attempt(Stage stage, HealthEvent event, Consumer<Runnable> ifRefused) {
    return Bugs.call(
        () -> {
          try {
            return stage.transformer().apply(event, ifRefused);
          } catch (ExpectedFailure failed) {
            LOG.warn("{} is left out for an event: {}", stage.name(), failed.getMessage());
            return event;
          }
        },
        bug -> {
          LOG.error("{} is left out for an event", stage.name(), bug);
          return event;
        });
  }
}
