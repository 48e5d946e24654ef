package dev.drydock.health.decide;

import java.util.List;
import java.util.Map;

/**
 * A Node, as far as quarantines are concerned.
 *
 * @param held whether the hold of the quarantine is on it
 * @param state of its quarantine, as its annotations say
 * @param marks as its annotations say
 */
public record MarkedNode(
    String name,
    boolean unschedulable,
    boolean held,
    List<NodeTaint> taints,
    Map<String, String> labels,
    QuarantineState state,
    AppliedMarks marks,
    Strikes strikes) {

  public MarkedNode {
    taints = List.copyOf(taints);
    labels = Map.copyOf(labels);
  }

  /** Whether a person has ended the quarantine by hand. */
  public ManualEnd manualEnd() {
    if (state.quarantine().isEmpty()) {
      return ManualEnd.NONE;
    }
    if (marks.isCordoned() && !unschedulable) {
      return ManualEnd.UNCORDONED;
    }
    boolean untainted =
        marks.taints().stream()
            .anyMatch(applied -> !applied.preExisting() && !taints.contains(applied.taint()));
    return untainted ? ManualEnd.UNTAINTED : ManualEnd.NONE;
  }

  /** How a person may end a quarantine. */
  public enum ManualEnd {
    NONE,
    UNCORDONED,
    UNTAINTED
  }
}
