package dev.drydock.contracts.health;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a monitor found out about a node, with the fields of the protocol in their order there.
 * Fields that were not sent have the value zero of their type.
 *
 * @param version of the event's schema; part of what identifies a failure
 * @param agent the monitor
 * @param checkName becomes the type of the node's condition
 * @param generatedTimestamp null if the monitor sent none
 * @param id the key in the event store; monitors leave it empty
 * @param customRecommendedAction the action's name if the action is {@link
 *     RecommendedAction#CUSTOM}
 */
public record HealthEvent(
    int version,
    String agent,
    String componentClass,
    String checkName,
    boolean isFatal,
    boolean isHealthy,
    String message,
    RecommendedAction recommendedAction,
    List<String> errorCode,
    List<ImpactedEntity> entitiesImpacted,
    Map<String, String> metadata,
    @Nullable Instant generatedTimestamp,
    String nodeName,
    @Nullable BehaviourOverrides quarantineOverrides,
    @Nullable BehaviourOverrides drainOverrides,
    ProcessingStrategy processingStrategy,
    String id,
    String customRecommendedAction) {

  public HealthEvent {
    errorCode = List.copyOf(errorCode);
    entitiesImpacted = List.copyOf(entitiesImpacted);
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
  }

  /** An event without any field set. */
  public static final HealthEvent EMPTY = new Builder().build();

  /** The name of the action: of a custom one, the name that the monitor gave it. */
  public String effectiveAction() {
    return recommendedAction.equals(RecommendedAction.CUSTOM)
        ? customRecommendedAction
        : recommendedAction.name();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** A builder that has this event's fields. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.version = version;
    builder.agent = agent;
    builder.componentClass = componentClass;
    builder.checkName = checkName;
    builder.isFatal = isFatal;
    builder.isHealthy = isHealthy;
    builder.message = message;
    builder.recommendedAction = recommendedAction;
    builder.errorCode = errorCode;
    builder.entitiesImpacted = entitiesImpacted;
    builder.metadata = metadata;
    builder.generatedTimestamp = generatedTimestamp;
    builder.nodeName = nodeName;
    builder.quarantineOverrides = quarantineOverrides;
    builder.drainOverrides = drainOverrides;
    builder.processingStrategy = processingStrategy;
    builder.id = id;
    builder.customRecommendedAction = customRecommendedAction;
    return builder;
  }

  /** Fields by name; each method has the name of its field. */
  public static final class Builder {
    private int version;
    private String agent = "";
    private String componentClass = "";
    private String checkName = "";
    private boolean isFatal;
    private boolean isHealthy;
    private String message = "";
    private RecommendedAction recommendedAction = RecommendedAction.NONE;
    private List<String> errorCode = List.of();
    private List<ImpactedEntity> entitiesImpacted = List.of();
    private Map<String, String> metadata = Map.of();
    private @Nullable Instant generatedTimestamp;
    private String nodeName = "";
    private @Nullable BehaviourOverrides quarantineOverrides;
    private @Nullable BehaviourOverrides drainOverrides;
    private ProcessingStrategy processingStrategy = ProcessingStrategy.UNSPECIFIED;
    private String id = "";
    private String customRecommendedAction = "";

    private Builder() {}

    public Builder version(int value) {
      version = value;
      return this;
    }

    public Builder agent(String value) {
      agent = value;
      return this;
    }

    public Builder componentClass(String value) {
      componentClass = value;
      return this;
    }

    public Builder checkName(String value) {
      checkName = value;
      return this;
    }

    public Builder isFatal(boolean value) {
      isFatal = value;
      return this;
    }

    public Builder isHealthy(boolean value) {
      isHealthy = value;
      return this;
    }

    public Builder message(String value) {
      message = value;
      return this;
    }

    public Builder recommendedAction(RecommendedAction value) {
      recommendedAction = value;
      return this;
    }

    public Builder errorCode(List<String> value) {
      errorCode = value;
      return this;
    }

    public Builder errorCode(String... value) {
      return errorCode(List.of(value));
    }

    public Builder entitiesImpacted(List<ImpactedEntity> value) {
      entitiesImpacted = value;
      return this;
    }

    /** One more of them. */
    public Builder entity(String type, String value) {
      entitiesImpacted = new ArrayList<>(entitiesImpacted);
      entitiesImpacted.add(new ImpactedEntity(type, value));
      return this;
    }

    public Builder metadata(Map<String, String> value) {
      metadata = value;
      return this;
    }

    /** One more of them. */
    public Builder metadata(String key, String value) {
      metadata = new LinkedHashMap<>(metadata);
      metadata.put(key, value);
      return this;
    }

    public Builder withoutMetadata(String key) {
      metadata = new LinkedHashMap<>(metadata);
      metadata.remove(key);
      return this;
    }

    public Builder generatedTimestamp(@Nullable Instant value) {
      generatedTimestamp = value;
      return this;
    }

    public Builder nodeName(String value) {
      nodeName = value;
      return this;
    }

    public Builder quarantineOverrides(@Nullable BehaviourOverrides value) {
      quarantineOverrides = value;
      return this;
    }

    public Builder drainOverrides(@Nullable BehaviourOverrides value) {
      drainOverrides = value;
      return this;
    }

    public Builder processingStrategy(ProcessingStrategy value) {
      processingStrategy = value;
      return this;
    }

    public Builder id(String value) {
      id = value;
      return this;
    }

    public Builder customRecommendedAction(String value) {
      customRecommendedAction = value;
      return this;
    }

    public HealthEvent build() {
      return new HealthEvent(
          version,
          agent,
          componentClass,
          checkName,
          isFatal,
          isHealthy,
          message,
          recommendedAction,
          errorCode,
          entitiesImpacted,
          metadata,
          generatedTimestamp,
          nodeName,
          quarantineOverrides,
          drainOverrides,
          processingStrategy,
          id,
          customRecommendedAction);
    }
  }
}
