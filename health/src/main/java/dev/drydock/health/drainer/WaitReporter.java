package dev.drydock.health.drainer;

import dev.drydock.health.drainer.decide.DrainDocument;
import dev.drydock.health.drainer.decide.DrainWait;
import dev.drydock.health.nodeevent.CountedEvents;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says what the drains of a node wait for: as Events, on the Node and in the event's state. */
final class WaitReporter {
  /** A shorter wait is not worth a word. */
  private static final Duration SHORT = Duration.ofSeconds(1);

  private static final Duration BETWEEN_WRITES = Duration.ofSeconds(5);

  private final NodeDrainerContext context;
  private final List<DrainWait> waits = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private List<String> told = List.of();
  private Instant toldAt = Instant.MIN;
  private @Nullable Instant since;

  WaitReporter(NodeDrainerContext context) {
    this.context = context;
  }

  void begin() {
    waits.clear();
    lines.clear();
  }

  void nothing() {
    begin();
    since = null;
  }

  void add(List<DrainWait> more, List<String> moreLines) {
    waits.addAll(more);
    lines.addAll(moreLines);
  }

  /** Returns when to look again. */
  Instant tell(Optional<QuarantinedNode> node, DrainDocument owner) {
    if (node.isEmpty() || lines.isEmpty()) {
      since = null;
      return Instant.MAX;
    }
    Instant now = context.kube().clock().instant();
    Instant begun = since == null ? now : since;
    since = begun;
    if (now.isBefore(begun.plus(SHORT))) {
      return begun.plus(SHORT);
    }
    waits.forEach(wait -> context.events().record(node.get(), reason(wait), wait.message()));
    Instant again = now.plus(CountedEvents.QUIET);
    if (lines.equals(told)) {
      return again;
    }
    if (!toldAt.equals(Instant.MIN) && now.isBefore(toldAt.plus(BETWEEN_WRITES))) {
      return toldAt.plus(BETWEEN_WRITES);
    }
    told = List.copyOf(lines);
    toldAt = now;
    context.writer().say(owner, String.join("; ", told));
    write(node.get());
    return again;
  }

  private void write(QuarantinedNode node) {
    var _ =
        context
            .writer()
            .edit(
                node,
                seen ->
                    seen.record()
                        .filter(record -> record.ended().isEmpty())
                        .map(
                            record ->
                                new NodeDrainWriter.Edit(
                                    seen.state(), Optional.of(record.waiting(told)))));
  }

  private static NodeDrainEvents.Reason reason(DrainWait wait) {
    return switch (wait.kind()) {
      case COMPLETION -> NodeDrainEvents.Reason.AwaitingPodCompletion;
      case DELETION -> NodeDrainEvents.Reason.WaitingBeforeForceDelete;
      case BUDGET -> NodeDrainEvents.Reason.EvictionBlocked;
      case DEVICES -> NodeDrainEvents.Reason.DevicesUnknown;
      case CUSTOM -> NodeDrainEvents.Reason.CustomDrainWaiting;
      case OTHER -> NodeDrainEvents.Reason.DrainWaiting;
    };
  }
}
