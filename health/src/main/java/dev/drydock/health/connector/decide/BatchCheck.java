package dev.drydock.health.connector.decide;

import dev.drydock.contracts.Limits;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.health.ImpactedEntity;
import dev.drydock.contracts.health.ProcessingStrategy;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.decide.FaultCondition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** What every connector does to a batch before anything else. */
public final class BatchCheck {
  private BatchCheck() {}

  /** Of names of monitors, checks, nodes and the like: those that Kubernetes has are no longer. */
  private static final int LONGEST_NAME = 253;

  /** Many events are in memory at a time wherever they are worked on. */
  private static final int MOST_TEXT = 64 << 10;

  private static final int MOST_PARTS = 1000;

  private static final Pattern NODE_NAME = Pattern.compile(Limits.SUBDOMAIN);

  /** Why none of the batch can be taken, if so. */
  public static Optional<Refusal> refusal(List<HealthEvent> batch) {
    return reserved(batch)
        .or(() -> customActionMissing(batch))
        .or(() -> tooLarge(batch))
        .or(() -> noNodeName(batch));
  }

  /** A blank one means the connector's own node. */
  private static Optional<Refusal> noNodeName(List<HealthEvent> batch) {
    return IntStream.range(0, batch.size())
        .filter(i -> !batch.get(i).nodeName().isBlank())
        .filter(i -> !NODE_NAME.matcher(batch.get(i).nodeName()).matches())
        .mapToObj(
            i ->
                new Refusal(
                    Refusal.Kind.INVALID_ARGUMENT,
                    "invalid_node_name",
                    "event %d of %s: no node can be called \"%s\"; nothing of the batch is taken"
                        .formatted(i, beginning(batch.get(i).agent()), batch.get(i).nodeName())))
        .findFirst();
  }

  private static Optional<Refusal> reserved(List<HealthEvent> batch) {
    return batch.stream()
        .filter(event -> FaultCondition.isReserved(event.checkName()))
        .findFirst()
        .map(
            event ->
                new Refusal(
                    Refusal.Kind.INVALID_ARGUMENT,
                    "reserved_check_name",
                    "no check can be called %s, which is a condition of Kubernetes or of Drydock; nothing of the batch is taken"
                        .formatted(event.checkName())));
  }

  private static Optional<Refusal> customActionMissing(List<HealthEvent> batch) {
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
                        .formatted(i, beginning(batch.get(i).agent()))))
        .findFirst();
  }

  private static Optional<Refusal> tooLarge(List<HealthEvent> batch) {
    return IntStream.range(0, batch.size())
        .mapToObj(
            i ->
                excess(batch.get(i))
                    .map(
                        what ->
                            new Refusal(
                                Refusal.Kind.INVALID_ARGUMENT,
                                "event_too_large",
                                "event %d of %s: %s; nothing of the batch is taken"
                                    .formatted(i, beginning(batch.get(i).agent()), what))))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<String> excess(HealthEvent event) {
    for (Map.Entry<String, String> name :
        Map.of(
                "agent", event.agent(),
                "componentClass", event.componentClass(),
                "checkName", event.checkName(),
                "nodeName", event.nodeName(),
                "customRecommendedAction", event.customRecommendedAction())
            .entrySet()) {
      if (name.getValue().length() > LONGEST_NAME) {
        return Optional.of(
            "%s may have %d characters, not %d"
                .formatted(name.getKey(), LONGEST_NAME, name.getValue().length()));
      }
    }
    int parts =
        event.entitiesImpacted().size() + event.errorCode().size() + event.metadata().size();
    if (parts > MOST_PARTS) {
      return Optional.of(
          "it may have %d entities, codes and metadata together, not %d"
              .formatted(MOST_PARTS, parts));
    }
    long text = text(event);
    return text > MOST_TEXT
        ? Optional.of("it may have %d characters of text, not %d".formatted(MOST_TEXT, text))
        : Optional.empty();
  }

  private static long text(HealthEvent event) {
    long text = event.message().length();
    for (String code : event.errorCode()) {
      text += code.length();
    }
    for (ImpactedEntity entity : event.entitiesImpacted()) {
      text += entity.entityType().length() + entity.entityValue().length();
    }
    for (Map.Entry<String, String> entry : event.metadata().entrySet()) {
      text += entry.getKey().length() + entry.getValue().length();
    }
    return text;
  }

  private static String beginning(String name) {
    return name.substring(0, Math.min(name.length(), LONGEST_NAME));
  }

  /**
   * An event as it goes on: what it does not say is said, and keys of callers are not trusted.
   *
   * @param trace that it belongs to, unless it names another
   */
  public static HealthEvent normal(HealthEvent event, String trace) {
    HealthEvent.Builder builder = event.toBuilder();
    if (event.processingStrategy().equals(ProcessingStrategy.UNSPECIFIED)) {
      builder.processingStrategy(ProcessingStrategy.EXECUTE_REMEDIATION);
    }
    if (event.metadata().containsKey(HealthNames.IDEMPOTENCY_KEY)) {
      builder.withoutMetadata(HealthNames.IDEMPOTENCY_KEY);
    }
    if (!event.metadata().containsKey(HealthNames.TRACE_ID)) {
      builder.metadata(HealthNames.TRACE_ID, trace);
    }
    return builder.build();
  }
}
