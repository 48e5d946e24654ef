package dev.drydock.contracts.v1alpha1;

/** Labels and annotations by which campaigns are moved, and by which they know what is theirs. */
public final class CampaignNames {
  /** On a campaign: who approved it. */
  public static final String APPROVED_BY = "drydock.dev/approved-by";

  /** On a NotifyMaintenance: the campaign that created it. */
  public static final String CAMPAIGN_LABEL = "drydock.dev/campaign";

  /** On a NotifyMaintenance of a campaign: it stays until the campaign has written down its end. */
  public static final String FINALIZER = "drydock.dev/campaign";

  public static final String DEFAULT_NAMESPACE = "drydock-system";

  public static final String ZONE_LABEL = "topology.kubernetes.io/zone";

  /** On a pod of a Slurm node: when what runs in it should have ended, as RFC 3339 has it. */
  public static final String SLINKY_POD_DEADLINE = "nodeset.slinky.slurm.net/pod-deadline";

  private CampaignNames() {}
}
