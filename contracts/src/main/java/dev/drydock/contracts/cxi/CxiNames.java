package dev.drydock.contracts.cxi;

/** Labels, annotations, the finalizer and names of objects that clients of CXI drivers know. */
public final class CxiNames {
  /**
   * The Lease of the original operator. Whoever takes its place in a namespace takes its Lease,
   * too, so that the two never lead at the same time.
   */
  public static final String OPERATOR_LEASE = "bf7f9b28.hpe.com";

  public static final String FINALIZER = "cxi.hpe.com/finalizer";

  /** The ConfigMap in the operator's namespace that names the active CXIDriver. */
  public static final String SINGLETON = "cxidriver-singleton";

  public static final String ACTIVE_KEY = "active-driver";

  public static final String MANAGED_BY = "app.kubernetes.io/managed-by";
  public static final String COMPONENT = "app.kubernetes.io/component";
  public static final String INSTANCE = "app.kubernetes.io/instance";
  public static final String OPERATOR = "slingshot-operator";

  /** On a Node: the CXIDriver that it belongs to. */
  public static final String DRIVER_LABEL = "cxi.hpe.com/driver";

  /** On a Node: {@code true} keeps it out of roll-outs. */
  public static final String SKIP_UPDATE = "cxi.hpe.com/skip-update";

  /** On a Node, for people: how far its update is. Nothing reads it back. */
  public static final String UPDATE_STATE = "cxi.hpe.com/update-state";

  public static final String UPDATE_STARTED_AT = "cxi.hpe.com/update-started-at";
  public static final String UPDATE_ERROR = "cxi.hpe.com/update-error";

  /** On a Node, by its driver agent: the version that is installed and verified. */
  public static final String INSTALLED_VERSION = "cxi.hpe.com/installed-version";

  /** On a Node, by its driver agent: what a rollback goes back to. */
  public static final String PREVIOUS_VERSION = "cxi.hpe.com/previous-version";

  /** On a Node, by its driver agent: a {@link DriverReport} as JSON. */
  public static final String DRIVER_REPORT = "cxi.hpe.com/driver-report";

  /** On Nodes and campaigns: the roll-out, by the name of its campaign. */
  public static final String ROLLOUT_LABEL = "cxi.hpe.com/rollout";

  /** On driver agents and campaigns: the version and source that they install, as a hash. */
  public static final String REVISION_LABEL = "cxi.hpe.com/revision";

  /** On driver agents: the hash of their pod, so that outdated ones are known. */
  public static final String TEMPLATE_LABEL = "cxi.hpe.com/template";

  /** On what the operator creates: the hash of what it wrote. */
  public static final String HASH = "cxi.hpe.com/spec-hash";

  /** On a campaign: the generation of the CXIDriver that it was made for. */
  public static final String GENERATION = "cxi.hpe.com/generation";

  /** On a campaign: why the roll-out was stopped, {@code RolledBack} or {@code Superseded}. */
  public static final String OUTCOME = "cxi.hpe.com/outcome";

  /** On a NotifyMaintenance, by the operator: what the node was like before, as JSON. */
  public static final String BEFORE = "cxi.hpe.com/before";

  /** On a NotifyMaintenance, by the operator: the driver agent goes back to this version. */
  public static final String ROLLBACK_TO = "cxi.hpe.com/rollback-to";

  /** On a NotifyMaintenance, by the operator: why the update failed, for people. */
  public static final String FAILURE = "cxi.hpe.com/failure";

  /** On a NotifyMaintenance, by the operator: what kind of failure it was, as one word. */
  public static final String FAILURE_CAUSE = "cxi.hpe.com/failure-cause";

  /** On the maintenance of a crashed retry handler: the boot of its node that the crash was in. */
  public static final String BOOT = "cxi.hpe.com/boot-id";

  /** On a MaintenanceClass: the UIDs of the campaigns that it was made for, also of those gone. */
  public static final String CAMPAIGNS = "cxi.hpe.com/campaigns";

  /** A condition of a CXIDevice: its retry handler crashed, and nobody knows its state. */
  public static final String HANDLER_CRASHED = "RetryHandlerCrashed";

  /** A condition of a Node: a reboot would leave it without its driver. */
  public static final String DRIVER_MISSING = "CXIDriverMissingAfterReboot";

  public static final String PRESENT = "slingshot.hpe.com/cxi-present";
  public static final String DEVICE_COUNT = "slingshot.hpe.com/device-count";
  public static final String NODE = "slingshot.hpe.com/node";
  public static final String DEVICE = "slingshot.hpe.com/device";

  /** On a Node: the switch of its first device. */
  public static final String FIRST_SWITCH = "slingshot.hpe.com/cxi0-switch-id";

  private static final String DEVICE_PREFIX = "slingshot.hpe.com/";
  private static final String SWITCH_SUFFIX = "-switch-id";

  /** On a Node: the switch of a device. */
  public static String switchLabel(String device) {
    return DEVICE_PREFIX + device + SWITCH_SUFFIX;
  }

  /** Whether a label of a Node says which switch a device is connected to. */
  public static boolean isSwitchLabel(String key) {
    return key.startsWith(DEVICE_PREFIX) && key.endsWith(SWITCH_SUFFIX);
  }

  /** Whether a label of a Node is written by its driver agent. */
  public static boolean isOfDevices(String key) {
    return key.equals(PRESENT) || key.equals(DEVICE_COUNT) || isSwitchLabel(key);
  }

  /** On a namespace: {@code enabled} or {@code true} has its pods seen by the injection. */
  public static final String INJECT_NAMESPACE = "slingshot.hpe.com/inject-sidecar";

  public static final String INJECT = "slingshot.hpe.com/inject-retry-handler";
  public static final String INJECTED = "slingshot.hpe.com/retry-handler-injected";
  public static final String INJECTED_BY = "slingshot.hpe.com/managed-by";
  public static final String SIDECAR = "cxi-retry-handler";

  public static final String DEFAULT_RESOURCE = "hpe.com/cxi";

  /** Images below it have other command lines than ours. */
  public static final String ORIGINAL_IMAGES = "ghcr.io/sielicki/slingshot-operator/";

  private CxiNames() {}
}
