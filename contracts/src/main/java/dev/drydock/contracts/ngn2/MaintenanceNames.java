package dev.drydock.contracts.ngn2;

/** Labels, annotations, conditions and the finalizer that drive a maintenance. */
public final class MaintenanceNames {
  /**
   * Followed by the maintenance's ID: on the Node set by the scheduler, on the maintenance set by
   * Drydock.
   */
  public static final String LABEL_PREFIX = "maintenance/";

  /** Node labels of other programs; they are removed with the last maintenance. */
  public static final String CORDONED_PREFIX = "cordoned";

  /** On a maintenance: the client that notices are addressed to. */
  public static final String CLIENT_LABEL = "maintenance/maintenance-client";

  public static final String DEFAULT_CLIENT = "Slack_ST2";

  public static final String READY = "maintenance/readyForMaintenance";
  public static final String MAINTENANCE_CLIENT = "maintenance/maintenanceClient";
  public static final String VALIDATION_CLIENT = "maintenance/validationClient";

  /** Set when the notice of the deletion is in the outbox. */
  public static final String TERMINATED = "maintenance.ngn2.nvidia.com/terminated";

  public static final String OVERRIDES = "maintenance/maintenanceMetadataOverrides";

  public static final String FINALIZER = "ngn2.nvidia.com/finalNotice";

  /** The annotation of Events about a maintenance that has its ID, which goes with the object. */
  public static final String EVENT_ID = "drydock.dev/maintenance-id";

  public static final String READY_CONDITION = "readyForMaintenance";
  public static final String MAINTENANCE_CONDITION = "maintenanceClient";
  public static final String VALIDATION_CONDITION = "validationClient";

  /** The node was returned; the object is only a record of it, once our finalizer is gone. */
  public static final String COMPLETED_CONDITION = "completed";

  public static final String TRUE = "true";
  public static final String FALSE = "false";
  public static final String IN_PROGRESS = "inprogress";
  public static final String COMPLETE = "complete";
  public static final String INCOMPLETE = "incomplete";
  public static final String VALIDATED = "validated";
  public static final String FAILED = "failed";

  private MaintenanceNames() {}

  public static String label(String maintenanceID) {
    return LABEL_PREFIX + maintenanceID;
  }
}
