package dev.drydock.health.store;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * A field of an event's state that can be updated. Consumers tell an update of the whole eviction
 * status from one of its parts: the node drainer writes intermediate states as parts, and final
 * ones as a whole.
 */
public enum StatusField {
  NODE_QUARANTINED("nodeQuarantined"),
  QUARANTINE_FINISH_TIMESTAMP("quarantineFinishTimestamp"),
  USER_PODS_EVICTION_STATUS("userPodsEvictionStatus"),
  USER_PODS_EVICTION_STATUS_STATUS("userPodsEvictionStatus.status"),
  USER_PODS_EVICTION_STATUS_MESSAGE("userPodsEvictionStatus.message"),
  DRAIN_FINISH_TIMESTAMP("drainFinishTimestamp"),
  FAULT_REMEDIATED("faultRemediated"),
  LAST_REMEDIATION_TIMESTAMP("lastRemediationTimestamp"),
  /** The ids of all services at once. */
  SPAN_IDS("spanIds"),
  /** An addition to the original's documents. */
  EPISODE("episode");

  private final String path;

  StatusField(String path) {
    this.path = path;
  }

  /** Below the status, as in JSON. */
  public String path() {
    return path;
  }

  /** Below {@code healtheventstatus}, as in documents of MongoDB. */
  public String documentPath() {
    return path.toLowerCase(Locale.ROOT);
  }

  /** Finds a field by either path. */
  public static Optional<StatusField> find(String path) {
    return Arrays.stream(values()).filter(field -> field.path.equalsIgnoreCase(path)).findFirst();
  }
}
