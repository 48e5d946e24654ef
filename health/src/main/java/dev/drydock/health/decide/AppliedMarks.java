package dev.drydock.health.decide;

import java.util.List;
import java.util.Optional;

/**
 * What a quarantine has put on its node.
 *
 * @param cordonReason the value of the label, if the quarantine cordoned the node
 */
public record AppliedMarks(
    List<AppliedTaint> taints, List<AppliedLabel> labels, Cordon cordon, String cordonReason) {
  public static final AppliedMarks NONE = new AppliedMarks(List.of(), List.of(), Cordon.NONE, "");

  /** Whether the quarantine keeps the node out of service. */
  public enum Cordon {
    NONE,
    OURS,
    /** It keeps it out too, but the node was cordoned before and stays so. */
    PRE_EXISTING
  }

  /**
   * A taint that rules want.
   *
   * @param preExisting it was there before and stays
   */
  public record AppliedTaint(NodeTaint taint, boolean preExisting) {}

  /**
   * A label that rules want.
   *
   * @param previous its value before the quarantine, which is put back
   */
  public record AppliedLabel(
      String key, String value, int priority, int order, Optional<String> previous) {}

  public AppliedMarks {
    taints = List.copyOf(taints);
    labels = List.copyOf(labels);
  }

  public boolean isCordoned() {
    return cordon != Cordon.NONE;
  }
}
