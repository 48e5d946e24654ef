package dev.drydock.health.decide;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One write to a Node: everything that a step of a quarantine changes, together with the hold.
 *
 * @param labels by key; absent values are removed
 * @param taintsRemoved before the others are added
 * @param manual how a person ended the quarantine, if so
 */
public record NodeEdit(
    QuarantineState state,
    AppliedMarks marks,
    Strikes strikes,
    Map<String, Optional<String>> labels,
    List<NodeTaint> taintsAdded,
    List<NodeTaint> taintsRemoved,
    HoldStep hold,
    MarkedNode.ManualEnd manual) {

  /** What happens to the hold of the quarantine. */
  public sealed interface HoldStep {
    record Keep() implements HoldStep {}

    record Place(String reason) implements HoldStep {}

    /** The last hold that goes makes the node schedulable. */
    record Release() implements HoldStep {}

    /** A cordon that another program made for a quarantine, without a hold, goes too. */
    record ReleaseWithCordon() implements HoldStep {}

    /** The quarantine is over, but the node failed too often: only a person brings it back. */
    record Strike(String reason) implements HoldStep {}

    /** A person has uncordoned the node, so all holds are void. */
    record Drop() implements HoldStep {}
  }

  public NodeEdit {
    labels = Map.copyOf(labels);
    taintsAdded = List.copyOf(taintsAdded);
    taintsRemoved = List.copyOf(taintsRemoved);
  }
}
