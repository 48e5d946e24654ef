package dev.drydock.contracts.lifecycle;

import java.util.List;

/** Names on LifecycleEvents and on the nodes they are for. */
public final class LifecycleNames {
  /**
   * Drydock's own group, which no API server will ever claim for itself. Its name comes after the
   * other one's, so that {@code kubectl get lifecycleevents} means that of existing manifests.
   */
  public static final String OWN_GROUP = "node-lifecycle.drydock.dev";

  /** The group of existing manifests and kubelets. */
  public static final String COMPAT_GROUP = "lifecycle.k8s.io";

  public static final List<String> GROUPS = List.of(COMPAT_GROUP, OWN_GROUP);
  public static final String VERSION = "v1alpha1";
  public static final String TRANSITIONS = "lifecycletransitions";
  public static final String EVENTS = "lifecycleevents";

  /** On events that are claimed, so that they cannot vanish while somebody works on them. */
  public static final String CLAIM_FINALIZER = "lifecycle.k8s.io/claim-protection";

  /** On events that Drydock has claimed or is about to: others are another claimer's. */
  public static final String CLAIMED_BY = "drydock.dev/lifecycle-claimed-by";

  /**
   * On events of somebody who holds the node himself, e.g. {@code notifymaintenance/ops/fw-17}: the
   * drain's own hold is then needed no longer than the drain.
   */
  public static final String ON_BEHALF_OF = "drydock.dev/on-behalf-of";

  /** On nodes: the last events and how they ended, as JSON. */
  public static final String HISTORY = "drydock.dev/lifecycle-history";

  /** On Evictions: who asks, so that policies know those of agents. */
  public static final String EVICTED_BY = "drydock.dev/evicted-by";

  /** The node's condition that tells where its transition stands. */
  public static final String CONDITION = "LifecycleTransition";

  public static final String PLUGIN_TYPE = "SLMPlugin";
  public static final String PLUGIN_VERSION = "v1alpha1.SLMPlugin";

  public static final String DRAIN_STARTED = "drain-started";
  public static final String DRAIN_COMPLETE = "drain-complete";
  public static final String UNCORDONING = "uncordoning";
  public static final String MAINTENANCE_COMPLETE = "maintenance-complete";

  private LifecycleNames() {}
}
