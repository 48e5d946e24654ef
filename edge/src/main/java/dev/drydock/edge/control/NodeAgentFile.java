package dev.drydock.edge.control;

import dev.drydock.edge.decide.DeferredOperation;
import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeDecider;
import dev.drydock.edge.decide.EdgeDrain;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.edge.decide.WaitDrain;
import dev.drydock.edge.record.EdgeRecords;
import dev.drydock.edge.record.EdgeRecords.RecordUnreadable;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Publishes NodeAgentStatus, unless EVE's nodeagent does. */
final class NodeAgentFile {
  private final EdgeContext context;
  private final boolean ours;
  private boolean waits;

  NodeAgentFile(EdgeContext context) {
    this.context = context;
    Optional<String> there = context.published().read(file());
    ours = there.isEmpty() || there.filter(EdgeRecords::isOurs).isPresent();
    boolean sameBoot = context.files().drain(context.bootId()).isPresent();
    waits = ours && sameBoot && there.filter(NodeAgentFile::waited).isPresent();
  }

  private Path file() {
    return context.paths().nodeAgentStatus();
  }

  private static boolean waited(String text) {
    try {
      return EdgeRecords.read(text).path("WaitDrainInProgress").asBoolean(false);
    } catch (RecordUnreadable damaged) {
      return false;
    }
  }

  void publish(EdgeDrain drain, Map<EdgeOperation, DeferredOperation> operations) {
    if (!ours) {
      return;
    }
    NodeDrainState state = drain.stateFor(DrainRequester.DEVICEOP);
    boolean waited = waits;
    waits = WaitDrain.next(waited, state, drain.isFor(DrainRequester.DEVICEOP), drain.disabled());
    if (waits != waited) {
      context
          .journal()
          .line(
              "%s%s NodeDrainStatus:%s"
                  .formatted(
                      EdgeDecider.STEP,
                      waits ? "drain-inprogress-handler" : "drain-complete-handler",
                      state));
    }
    context
        .published()
        .publish(
            file(),
            EdgeRecords.nodeAgentStatus(
                waits,
                isUnderWay(operations, EdgeOperation.REBOOT),
                isUnderWay(operations, EdgeOperation.SHUTDOWN),
                isUnderWay(operations, EdgeOperation.POWEROFF),
                isUnderWay(operations, EdgeOperation.UPDATE)));
  }

  private static boolean isUnderWay(
      Map<EdgeOperation, DeferredOperation> operations, EdgeOperation operation) {
    DeferredOperation known = operations.get(operation);
    return known != null && known.state() == DeferredOperation.State.STARTED;
  }
}
