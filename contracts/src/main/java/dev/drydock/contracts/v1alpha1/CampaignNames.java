package dev.drydock.contracts.v1alpha1;

/** Labels and annotations that drive campaigns and mark the objects they own. */
public final class CampaignNames {
  /** On a campaign: who approved it. */
  public static final String APPROVED_BY = "drydock.dev/approved-by";

  /** On a NotifyMaintenance: the campaign that created it. */
  public static final String CAMPAIGN_LABEL = "drydock.dev/campaign";

  /** On a NotifyMaintenance: the UID of that campaign; another may get its name later. */
  public static final String CAMPAIGN_UID = "drydock.dev/campaign-uid";

  /**
   * On a MaintenanceClass: the namespaces whose maintenances may use it, separated by commas. An
   * admission policy refuses others.
   */
  public static final String ALLOWED_NAMESPACES = "drydock.dev/allowed-namespaces";

  /**
   * Finalizer on a campaign's NotifyMaintenance: it stays until the campaign has recorded its end.
   */
  public static final String FINALIZER = "drydock.dev/campaign";

  /** For maintenances of campaigns, and so for their Jobs, which the operator's would not admit. */
  public static final String DEFAULT_NAMESPACE = "drydock-maintenance";

  public static final String ZONE_LABEL = "topology.kubernetes.io/zone";

  /** On a pod of a Slurm node: when its jobs should have ended, in RFC 3339 format. */
  public static final String SLINKY_POD_DEADLINE = "nodeset.slinky.slurm.net/pod-deadline";

  private CampaignNames() {}
}
