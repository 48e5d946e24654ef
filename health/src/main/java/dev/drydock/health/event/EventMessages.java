package dev.drydock.health.event;

import com.google.protobuf.BoolValue;
import com.google.protobuf.Timestamp;
import dev.drydock.contracts.health.BehaviourOverrides;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthEventStatus;
import dev.drydock.contracts.health.ImpactedEntity;
import dev.drydock.contracts.health.OperationStatus;
import dev.drydock.contracts.health.ProcessingStrategy;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.wire.HealthEventProto;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Health events as messages of the protocol. */
public final class EventMessages {
  /** The version that all clients send with a batch. */
  public static final int BATCH_VERSION = 1;

  private EventMessages() {}

  public static List<HealthEvent> events(HealthEventProto.HealthEvents batch) {
    return batch.getEventsList().stream().map(EventMessages::event).toList();
  }

  public static HealthEventProto.HealthEvents batch(List<HealthEvent> events) {
    HealthEventProto.HealthEvents.Builder batch =
        HealthEventProto.HealthEvents.newBuilder().setVersion(BATCH_VERSION);
    events.forEach(event -> batch.addEvents(message(event)));
    return batch.build();
  }

  public static HealthEvent event(HealthEventProto.HealthEvent message) {
    return new HealthEvent(
        message.getVersion(),
        message.getAgent(),
        message.getComponentClass(),
        message.getCheckName(),
        message.getIsFatal(),
        message.getIsHealthy(),
        message.getMessage(),
        new RecommendedAction(message.getRecommendedActionValue()),
        message.getErrorCodeList(),
        message.getEntitiesImpactedList().stream()
            .map(entity -> new ImpactedEntity(entity.getEntityType(), entity.getEntityValue()))
            .toList(),
        message.getMetadataMap(),
        message.hasGeneratedTimestamp() ? instant(message.getGeneratedTimestamp()) : null,
        message.getNodeName(),
        message.hasQuarantineOverrides() ? overrides(message.getQuarantineOverrides()) : null,
        message.hasDrainOverrides() ? overrides(message.getDrainOverrides()) : null,
        new ProcessingStrategy(message.getProcessingStrategyValue()),
        message.getId(),
        message.getCustomRecommendedAction());
  }

  public static HealthEventProto.HealthEvent message(HealthEvent event) {
    HealthEventProto.HealthEvent.Builder message =
        HealthEventProto.HealthEvent.newBuilder()
            .setVersion(event.version())
            .setAgent(event.agent())
            .setComponentClass(event.componentClass())
            .setCheckName(event.checkName())
            .setIsFatal(event.isFatal())
            .setIsHealthy(event.isHealthy())
            .setMessage(event.message())
            .setRecommendedActionValue(event.recommendedAction().number())
            .addAllErrorCode(event.errorCode())
            .putAllMetadata(event.metadata())
            .setNodeName(event.nodeName())
            .setProcessingStrategyValue(event.processingStrategy().number())
            .setId(event.id())
            .setCustomRecommendedAction(event.customRecommendedAction());
    event
        .entitiesImpacted()
        .forEach(
            entity ->
                message.addEntitiesImpacted(
                    HealthEventProto.Entity.newBuilder()
                        .setEntityType(entity.entityType())
                        .setEntityValue(entity.entityValue())));
    Instant generated = event.generatedTimestamp();
    if (generated != null) {
      message.setGeneratedTimestamp(timestamp(generated));
    }
    BehaviourOverrides quarantine = event.quarantineOverrides();
    if (quarantine != null) {
      message.setQuarantineOverrides(overrides(quarantine));
    }
    BehaviourOverrides drain = event.drainOverrides();
    if (drain != null) {
      message.setDrainOverrides(overrides(drain));
    }
    return message.build();
  }

  public static HealthEventStatus status(HealthEventProto.HealthEventStatus message) {
    return new HealthEventStatus(
        message.getNodeQuarantined(),
        message.hasQuarantineFinishTimestamp()
            ? instant(message.getQuarantineFinishTimestamp())
            : null,
        new OperationStatus(
            message.getUserPodsEvictionStatus().getStatus(),
            message.getUserPodsEvictionStatus().getMessage()),
        message.hasDrainFinishTimestamp() ? instant(message.getDrainFinishTimestamp()) : null,
        message.hasFaultRemediated() ? message.getFaultRemediated().getValue() : null,
        message.hasLastRemediationTimestamp()
            ? instant(message.getLastRemediationTimestamp())
            : null,
        message.getSpanIdsMap());
  }

  public static HealthEventProto.HealthEventStatus message(HealthEventStatus status) {
    HealthEventProto.HealthEventStatus.Builder message =
        HealthEventProto.HealthEventStatus.newBuilder()
            .setNodeQuarantined(status.nodeQuarantined())
            .setUserPodsEvictionStatus(
                HealthEventProto.OperationStatus.newBuilder()
                    .setStatus(status.userPodsEvictionStatus().status())
                    .setMessage(status.userPodsEvictionStatus().message()))
            .putAllSpanIds(status.spanIds());
    Instant quarantined = status.quarantineFinishTimestamp();
    if (quarantined != null) {
      message.setQuarantineFinishTimestamp(timestamp(quarantined));
    }
    Instant drained = status.drainFinishTimestamp();
    if (drained != null) {
      message.setDrainFinishTimestamp(timestamp(drained));
    }
    Boolean remediated = status.faultRemediated();
    if (remediated != null) {
      message.setFaultRemediated(BoolValue.of(remediated));
    }
    Instant remedied = status.lastRemediationTimestamp();
    if (remedied != null) {
      message.setLastRemediationTimestamp(timestamp(remedied));
    }
    return message.build();
  }

  /** The times that the protocol and Kubernetes have, which write years with four digits. */
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  /** Null for what is no time there: a broken clock must not cost the event. */
  private static @Nullable Instant instant(Timestamp time) {
    try {
      Instant instant = Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
      return instant.isBefore(FIRST) || instant.isAfter(LAST) ? null : instant;
    } catch (DateTimeException | ArithmeticException beyond) {
      return null;
    }
  }

  public static Timestamp timestamp(Instant time) {
    return Timestamp.newBuilder()
        .setSeconds(time.getEpochSecond())
        .setNanos(time.getNano())
        .build();
  }

  private static BehaviourOverrides overrides(HealthEventProto.BehaviourOverrides message) {
    return new BehaviourOverrides(message.getForce(), message.getSkip());
  }

  private static HealthEventProto.BehaviourOverrides overrides(BehaviourOverrides overrides) {
    return HealthEventProto.BehaviourOverrides.newBuilder()
        .setForce(overrides.force())
        .setSkip(overrides.skip())
        .build();
  }
}
