package dev.drydock.contracts.health;

/** Names on the wire and in the store that more than one part needs. */
public final class HealthNames {
  /** In an event's metadata: what makes a repeated append the same event. */
  public static final String IDEMPOTENCY_KEY = "idempotencyKey";

  /** In an event's metadata: the trace that it belongs to. */
  public static final String TRACE_ID = "trace_id";

  /** In the metadata of an event that a MaintenanceRequest brought: its name and UID. */
  public static final String MAINTENANCE_REQUEST_NAME = "maintenanceRequestName";

  public static final String MAINTENANCE_REQUEST_UID = "maintenanceRequestUID";

  /** In an event's metadata, written by the MetadataAugmentor. */
  public static final String PROVIDER_ID = "providerID";

  /** On a Pod: which devices it has, by resource. */
  public static final String DEVICES_ANNOTATION = "dgxc.nvidia.com/devices";

  /** On a Node while a failure of it is handled; the value says how far that is. */
  public static final String STATE_LABEL = "dgxc.nvidia.com/nvsentinel-state";

  /** Names of consumers of the store, and their keys in {@code resume-control}. */
  public static final String FAULT_QUARANTINE = "fault-quarantine";

  public static final String NODE_DRAINER = "node-drainer";
  public static final String FAULT_REMEDIATION = "fault-remediation";

  private HealthNames() {}
}
