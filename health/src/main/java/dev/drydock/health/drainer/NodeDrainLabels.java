package dev.drydock.health.drainer;

import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.health.decide.StateLabel;
import dev.drydock.health.drainer.decide.DrainGoal;
import dev.drydock.health.drainer.decide.DrainSnapshot;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** What is written on a Node about its drain: the label of its state, and the record. */
final class NodeDrainLabels {
  private final NodeDrainWriter writer;
  private final Clock clock;

  NodeDrainLabels(NodeDrainWriter writer, Clock clock) {
    this.writer = writer;
    this.clock = clock;
  }

  static boolean isRecorded(QuarantinedNode node, DrainGoal goal) {
    return node.record()
        .filter(record -> record.event().equals(goal.owner().id()) && record.ended().isEmpty())
        .isPresent();
  }

  /** Writes that the drain has begun; false if the node is not in its quarantine any more. */
  boolean started(QuarantinedNode node, DrainGoal goal, String by, DrainSnapshot pods) {
    return writer
        .edit(
            node,
            seen ->
                seen.isIn(goal)
                    ? Optional.of(
                        new NodeDrainWriter.Edit(
                            Optional.of(StateLabel.DRAINING),
                            isRecorded(seen, goal)
                                ? Optional.empty()
                                : Optional.of(
                                    NodeDrainRecord.begun(
                                        goal.episode(),
                                        goal.owner().id(),
                                        by,
                                        clock.instant(),
                                        pods.names()))))
                    : Optional.empty())
        .isPresent();
  }

  /** Writes the label; false if the node is not in the drain's quarantine any more. */
  boolean ended(
      QuarantinedNode node,
      DrainGoal goal,
      List<DrainGoal> goals,
      StateLabel label,
      HealthStatus status,
      String message) {
    StateLabel state = goals.size() > 1 ? StateLabel.DRAINING : label;
    return writer
        .edit(
            node,
            seen ->
                seen.isIn(goal)
                    ? Optional.of(
                        new NodeDrainWriter.Edit(
                            Optional.of(state),
                            Optional.of(
                                record(seen, goal).ended(clock.instant(), status.word(), message))))
                    : Optional.empty())
        .isPresent();
  }

  /** Somebody has ended the drain, which may not be the end of the quarantine. */
  void cancelled(QuarantinedNode node, DrainGoal goal, String message) {
    var _ =
        writer.edit(
            node,
            seen ->
                seen.isIn(goal) || !seen.quarantined()
                    ? Optional.of(
                        new NodeDrainWriter.Edit(
                            Optional.empty(),
                            Optional.of(
                                record(seen, goal)
                                    .ended(
                                        clock.instant(), HealthStatus.CANCELLED.word(), message))))
                    : Optional.empty());
  }

  /** The quarantine is over: nothing on the node tells of its drain any more but the record. */
  void clear(QuarantinedNode node) {
    var _ =
        writer.edit(
            node,
            seen ->
                seen.quarantined() || !seen.hasState()
                    ? Optional.empty()
                    : Optional.of(
                        new NodeDrainWriter.Edit(
                            Optional.empty(),
                            seen.record()
                                .filter(record -> record.ended().isEmpty())
                                .map(
                                    record ->
                                        record.ended(
                                            clock.instant(),
                                            HealthStatus.CANCELLED.word(),
                                            "the quarantine is over")))));
  }

  private NodeDrainRecord record(QuarantinedNode seen, DrainGoal goal) {
    return seen.record()
        .filter(record -> record.event().equals(goal.owner().id()))
        .orElseGet(
            () ->
                NodeDrainRecord.begun(
                    goal.episode(), goal.owner().id(), "", clock.instant(), List.of()));
  }

  /** No drain can begin for an event. */
  void failed(QuarantinedNode node) {
    write(node, StateLabel.DRAIN_FAILED);
  }

  /** Writes the label, unless the quarantine of the node is over. */
  void write(QuarantinedNode node, StateLabel label) {
    var _ =
        writer.edit(
            node,
            seen ->
                seen.quarantined() && seen.episode().equals(node.episode())
                    ? Optional.of(new NodeDrainWriter.Edit(Optional.of(label), Optional.empty()))
                    : Optional.empty());
  }
}
