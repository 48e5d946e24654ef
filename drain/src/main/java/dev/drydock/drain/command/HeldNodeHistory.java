package dev.drydock.drain.command;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;

import dev.drydock.drain.hold.DrainConditions;
import dev.drydock.drain.hold.DrainEvents;
import dev.drydock.drain.hold.DrainNodeObject;
import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.request.DrainRequestController;
import dev.drydock.serve.feature.HistoryPart;
import dev.drydock.serve.feature.HistoryStep;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the Node itself says about its holds and its last drain. A short drain writes no Events, and
 * a cluster keeps Events for an hour.
 */
public final class HeldNodeHistory {
  private static final String WHO = "node";

  private HeldNodeHistory() {}

  public static HistoryPart of(DrainNodeObject node) {
    Stream<HistoryStep> placed =
        holds(node).stream()
            .map(
                hold ->
                    HistoryStep.of(
                        hold.since().truncatedTo(ChronoUnit.SECONDS), // as conditions are
                        WHO,
                        DrainEvents.Reason.HoldPlaced.name(),
                        DrainEvents.placed(hold)));
    Stream<HistoryStep> drained =
        DrainConditions.current(node).stream()
            // its DrainRequest tells more, and exists as long as the node is held for it
            .filter(
                condition -> !DrainConditions.isOf(condition, DrainRequestController.HOLD_OWNER))
            .map(
                condition ->
                    HistoryStep.of(
                        time(condition, "lastHeartbeatTime"),
                        WHO,
                        text(condition, "reason"),
                        text(condition, "message")));
    return new HistoryPart(
        HistoryPart.Scope.NODE, node.name(), Stream.concat(placed, drained).toList());
  }

  private static Collection<Hold> holds(DrainNodeObject node) {
    try {
      return node.facts().unschedulable() ? node.holds().byHolder().values() : List.of();
    } catch (HoldsUnreadable unreadable) {
      return List.of(); // 'drydock holds' says what is wrong with them
    }
  }
}
