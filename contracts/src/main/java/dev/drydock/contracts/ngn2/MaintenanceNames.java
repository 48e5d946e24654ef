package dev.drydock.contracts.ngn2;

/** Labels, annotations, conditions and the finalizer by which a maintenance is moved. */
public final class MaintenanceNames {
  /** Followed by the maintenance's ID: on the Node by the scheduler, on the maintenance by us. */
  public static final String LABEL_PREFIX = "maintenance/";

  /** Node labels of others that end with the last maintenance. */
  public static final String CORDONED_PREFIX = "cordoned";

  /** On a maintenance: which client notices are for. */
  public static final String CLIENT_LABEL = "maintenance/maintenance-client";

  public static final String DEFAULT_CLIENT = "Slack_ST2";

  public static final String READY = "maintenance/readyForMaintenance";
  public static final String MAINTENANCE_CLIENT = "maintenance/maintenanceClient";
  public static final String VALIDATION_CLIENT = "maintenance/validationClient";

  /** Set once the notice of the deletion is in the outbox. */
  public static final String TERMINATED = "maintenance.ngn2.nvidia.com/terminated";

  public static final String OVERRIDES = "maintenance/maintenanceMetadataOverrides";

  public static final String FINALIZER = "ngn2.nvidia.com/finalNotice";

  public static final String READY_CONDITION = "readyForMaintenance";
  public static final String MAINTENANCE_CONDITION = "maintenanceClient";
  public static final String VALIDATION_CONDITION = "validationClient";

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
