package dev.drydock.health.connector.decide;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.health.ProcessingStrategy;
import dev.drydock.contracts.health.RecommendedAction;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What every connector does to a batch before anything else. */
public final class BatchCheck {
  private BatchCheck() {}

  /** Why none of the batch can be taken, if so. */
  public static Optional<Refusal> refusal(List<HealthEvent> batch) {
    return IntStream.range(0, batch.size())
        .filter(
            i ->
                batch.get(i).recommendedAction().equals(RecommendedAction.CUSTOM)
                    && batch.get(i).customRecommendedAction().isEmpty())
        .mapToObj(
            i ->
                new Refusal(
                    Refusal.Kind.INVALID_ARGUMENT,
                    "custom_action_missing",
                    "event %d of %s: recommendedAction CUSTOM needs customRecommendedAction; nothing of the batch is taken"
                        .formatted(i, batch.get(i).agent())))
        .findFirst();
  }

  /** An event as it goes on: what it does not say is said, and keys of callers are not trusted. */
  public static HealthEvent normal(HealthEvent event) {
    HealthEvent.Builder builder = event.toBuilder();
    if (event.processingStrategy().equals(ProcessingStrategy.UNSPECIFIED)) {
      builder.processingStrategy(ProcessingStrategy.EXECUTE_REMEDIATION);
    }
    if (event.metadata().containsKey(HealthNames.IDEMPOTENCY_KEY)) {
      builder.withoutMetadata(HealthNames.IDEMPOTENCY_KEY);
    }
    return builder.build();
  }
}
