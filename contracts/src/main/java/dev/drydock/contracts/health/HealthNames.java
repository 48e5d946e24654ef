package dev.drydock.contracts.health;

/** Names on the wire and in the store that more than one part needs. */
public final class HealthNames {
  /** In an event's metadata: what makes a repeated append the same event. */
  public static final String IDEMPOTENCY_KEY = "idempotencyKey";

  /** In an event's metadata: the trace that it belongs to. */
  public static final String TRACE_ID = "trace_id";

  /** In an event's metadata, written by the MetadataAugmentor. */
  public static final String PROVIDER_ID = "providerID";

  /** Names of consumers of the store, and their keys in {@code resume-control}. */
  public static final String FAULT_QUARANTINE = "fault-quarantine";

  public static final String NODE_DRAINER = "node-drainer";
  public static final String FAULT_REMEDIATION = "fault-remediation";

  private HealthNames() {}
}
