package dev.drydock.contracts.lifecycle;

import java.util.List;

/** Names on LifecycleEvents and on their Nodes. */
public final class LifecycleNames {
  /**
   * Drydock's own group, which no API server will ever serve itself. It sorts after the other
   * group, so {@code kubectl get lifecycleevents} lists the group of existing manifests.
   */
  public static final String OWN_GROUP = "node-lifecycle.drydock.dev";

  /** The group that existing manifests and kubelets use. */
  public static final String COMPAT_GROUP = "lifecycle.k8s.io";

  public static final List<String> GROUPS = List.of(COMPAT_GROUP, OWN_GROUP);
  public static final String VERSION = "v1alpha1";
  public static final String TRANSITIONS = "lifecycletransitions";
  public static final String EVENTS = "lifecycleevents";

  /** Finalizer on claimed events: they cannot vanish while a driver works on them. */
  public static final String CLAIM_FINALIZER = "lifecycle.k8s.io/claim-protection";

  /** On events that Drydock has claimed or is about to claim; others belong to other claimers. */
  public static final String CLAIMED_BY = "drydock.dev/lifecycle-claimed-by";

  /**
   * On events whose creator has its own hold on the node, e.g. {@code notifymaintenance/ops/fw-17}:
   * the drain's hold is then released when the drain ends.
   */
  public static final String ON_BEHALF_OF = "drydock.dev/on-behalf-of";

  /**
   * On events for which the drain driver has placed its hold. If that hold is gone when the driver
   * comes back, a person has returned the node to service.
   */
  public static final String NODE_HELD = "drydock.dev/lifecycle-node-held";

  /** On Nodes: the last events and how they ended, as JSON. */
  public static final String HISTORY = "drydock.dev/lifecycle-history";

  /** On Evictions: the requester, so that admission policies recognize those of agents. */
  public static final String EVICTED_BY = "drydock.dev/evicted-by";

  /** The Node condition that shows the state of its transition. */
  public static final String CONDITION = "LifecycleTransition";

  public static final String PLUGIN_TYPE = "SLMPlugin";
  public static final String PLUGIN_VERSION = "v1alpha1.SLMPlugin";

  public static final String DRAIN_STARTED = "drain-started";
  public static final String DRAIN_COMPLETE = "drain-complete";
  public static final String UNCORDONING = "uncordoning";
  public static final String MAINTENANCE_COMPLETE = "maintenance-complete";

  private LifecycleNames() {}
}
