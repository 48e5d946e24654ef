package dev.drydock.health.quarantine;

/** Names that quarantines have on Nodes, most of them those of the original. */
public final class QuarantineNames {
  public static final String EVENTS = "quarantineHealthEvent";
  public static final String TAINTS = "quarantineHealthEventAppliedTaints";
  public static final String LABELS = "quarantineHealthEventAppliedLabels";
  public static final String CORDONED = "quarantineHealthEventIsCordoned";
  public static final String PRE_EXISTING = "quarantineHealthEventCordonPreExisting";
  public static final String UNCORDONED_MANUALLY = "quarantinedNodeUncordonedManually";
  public static final String UNTAINTED_MANUALLY = "quarantinedNodeUntaintedManually";

  /** The events after which the node is validated, with the tests. */
  public static final String VALIDATION = "quarantineValidationHealthEvent";

  public static final String TRUE = "True";

  /** What the original's annotations have no place for: the episode, and which rules matched. */
  public static final String JOURNAL = "drydock.dev/quarantine";

  public static final String STRIKES = "drydock.dev/quarantine-strikes";

  /** What the node drainer's last drain is doing, or has done. */
  public static final String DRAIN_RECORD = "drydock.dev/node-drain";

  /** Holds the node while it is in quarantine. */
  public static final String HOLDER = "health/quarantine";

  /** Holds a node that has failed too often, until a person uncordons it. */
  public static final String STRIKES_HOLDER = "health/strikes";

  private QuarantineNames() {}
}
