package dev.drydock.health.remediation;

import dev.drydock.kube.CompletionObjects;

/** Names on Nodes and on maintenance resources. */
public final class RemediationNames {
  /** The original's: which resource was made for which equivalence group. */
  public static final String STATE = "latestFaultRemediationState";

  /** What the original's annotation has no place for: all attempts and what became of them. */
  public static final String JOURNAL = "drydock.dev/remediation";

  /** On a maintenance that is made without a template. */
  public static final String ACTION = "drydock.dev/recommended-action";

  public static final String EVENT = "drydock.dev/health-event";

  static final CompletionObjects.Markers MARKS =
      new CompletionObjects.Markers(
          "drydock.dev/remediation-node-uid",
          "drydock.dev/remediation-node",
          "drydock.dev/remediation");

  private RemediationNames() {}
}
