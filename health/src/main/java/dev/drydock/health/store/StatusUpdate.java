package dev.drydock.health.store;

import dev.drydock.contracts.health.HealthEventStatus;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.contracts.health.OperationStatus;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * New values of some fields of an event's state; the others stay.
 *
 * @param values texts, instants, booleans, and of {@link StatusField#USER_PODS_EVICTION_STATUS} an
 *     {@link OperationStatus}
 * @param spanIds by service, added to those that are there
 */
public record StatusUpdate(Map<StatusField, Object> values, Map<String, String> spanIds) {
  public static final StatusUpdate NONE = new StatusUpdate(Map.of(), Map.of());

  public StatusUpdate {
    EnumMap<StatusField, Object> copy = new EnumMap<>(StatusField.class);
    copy.putAll(values);
    values = Collections.unmodifiableMap(copy);
    spanIds = Map.copyOf(spanIds);
  }

  public StatusUpdate nodeQuarantined(HealthStatus status) {
    return with(StatusField.NODE_QUARANTINED, status.word());
  }

  public StatusUpdate quarantineFinished(Instant time) {
    return with(StatusField.QUARANTINE_FINISH_TIMESTAMP, time);
  }

  /** The whole of it: what consumers take for final. */
  public StatusUpdate eviction(HealthStatus status, String message) {
    return with(StatusField.USER_PODS_EVICTION_STATUS, new OperationStatus(status.word(), message));
  }

  /** Only its status; its message stays. */
  public StatusUpdate evictionStatus(HealthStatus status) {
    return with(StatusField.USER_PODS_EVICTION_STATUS_STATUS, status.word());
  }

  /** Only its message; its status stays. */
  public StatusUpdate evictionMessage(String message) {
    return with(StatusField.USER_PODS_EVICTION_STATUS_MESSAGE, message);
  }

  public StatusUpdate drainFinished(Instant time) {
    return with(StatusField.DRAIN_FINISH_TIMESTAMP, time);
  }

  public StatusUpdate faultRemediated(boolean remediated) {
    return with(StatusField.FAULT_REMEDIATED, remediated);
  }

  public StatusUpdate lastRemediation(Instant time) {
    return with(StatusField.LAST_REMEDIATION_TIMESTAMP, time);
  }

  public StatusUpdate episode(String episode) {
    return with(StatusField.EPISODE, episode);
  }

  public StatusUpdate spanId(String service, String span) {
    Map<String, String> more = new LinkedHashMap<>(spanIds);
    more.put(service, span);
    return new StatusUpdate(values, more);
  }

  public StatusUpdate with(StatusField field, Object value) {
    Map<StatusField, Object> more = new LinkedHashMap<>(values);
    more.put(field, value);
    return new StatusUpdate(more, spanIds);
  }

  /** The text that a field gets, if it is updated and a text. */
  public Optional<String> text(StatusField field) {
    return values.get(field) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  /** The state after the update. */
  public HealthEventStatus applyTo(HealthEventStatus before) {
    OperationStatus whole =
        get(StatusField.USER_PODS_EVICTION_STATUS, before.userPodsEvictionStatus());
    Map<String, String> spans = new LinkedHashMap<>(before.spanIds());
    spans.putAll(spanIds);
    return new HealthEventStatus(
        get(StatusField.NODE_QUARANTINED, before.nodeQuarantined()),
        orNull(StatusField.QUARANTINE_FINISH_TIMESTAMP, before.quarantineFinishTimestamp()),
        new OperationStatus(
            get(StatusField.USER_PODS_EVICTION_STATUS_STATUS, whole.status()),
            get(StatusField.USER_PODS_EVICTION_STATUS_MESSAGE, whole.message())),
        orNull(StatusField.DRAIN_FINISH_TIMESTAMP, before.drainFinishTimestamp()),
        orNull(StatusField.FAULT_REMEDIATED, before.faultRemediated()),
        orNull(StatusField.LAST_REMEDIATION_TIMESTAMP, before.lastRemediationTimestamp()),
        spans);
  }

  public String episodeAfter(String before) {
    return get(StatusField.EPISODE, before);
  }

  @SuppressWarnings("unchecked") // the methods above put values of the right type
  private <T> T get(StatusField field, T before) {
    Object value = values.get(field);
    return value == null ? before : (T) value;
  }

  @SuppressWarnings("unchecked")
  private <T> @Nullable T orNull(StatusField field, @Nullable T before) {
    Object value = values.get(field);
    return value == null ? before : (T) value;
  }
}
