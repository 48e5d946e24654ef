package dev.drydock.health.drainer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.NameLists;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.decide.StateLabel;
import dev.drydock.kube.Resource;
import dev.drydock.serve.feature.HistoryPart;
import dev.drydock.serve.feature.HistoryReader;
import dev.drydock.serve.feature.HistoryStep;
import dev.drydock.serve.feature.StatusEntry;
import dev.drydock.serve.feature.StatusPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What {@code drydock status} and {@code drydock history} say about drains for health events. */
public final class NodeDrainView {
  /** What steps of the history are called. */
  public static final String STARTED = "HealthDrainStarted";

  public static final String WAITING = "HealthDrainWaiting";
  public static final String ENDED = "HealthDrainEnded";

  private static final String KIND = "HealthDrain";
  private static final String WHO = "node";

  private NodeDrainView() {}

  /** Only nodes that are being drained are read. */
  public static StatusPart status() {
    return new StatusPart(
        KIND,
        StatusEntry.DRAIN,
        Resource.NODES
            .all()
            .labelSelector(HealthNames.STATE_LABEL + "=" + StateLabel.DRAINING.word()),
        NodeDrainView::entry);
  }

  private static @Nullable StatusEntry entry(JsonNode node) {
    QuarantinedNode seen = QuarantinedNode.read(node);
    return seen.record()
        .filter(record -> record.ended().isEmpty())
        .map(
            record ->
                new StatusEntry(
                    seen.name(),
                    KIND,
                    StatusEntry.DRAIN,
                    Optional.of("Draining"),
                    record.since(),
                    Optional.empty(),
                    "",
                    Optional.empty(),
                    record.waits()))
        .orElse(null);
  }

  /** The last drain of the node; its resources and Events may be gone. */
  public static List<HistoryPart> history(HistoryReader reader) {
    return reader.list("Nodes", Resource.NODES.named(reader.node()), QuarantinedNode::read).stream()
        .flatMap(node -> node.record().stream())
        .map(record -> new HistoryPart(HistoryPart.Scope.NODE, "", steps(record)))
        .toList();
  }

  private static List<HistoryStep> steps(NodeDrainRecord record) {
    List<HistoryStep> steps = new ArrayList<>();
    String pods = record.pods().isEmpty() ? "no pods" : NameLists.some(record.pods(), 20);
    steps.add(
        HistoryStep.of(
            record.since(),
            WHO,
            STARTED,
            "by %s for event %s: %s".formatted(record.by(), record.event(), pods)));
    if (!record.waits().isEmpty()) {
      steps.add(HistoryStep.of(record.since(), WHO, WAITING, String.join("; ", record.waits())));
    }
    record
        .ended()
        .ifPresent(
            time ->
                steps.add(
                    HistoryStep.of(time, WHO, ENDED, record.outcome() + ": " + record.message())));
    return steps;
  }
}
