package dev.drydock.health.drainer;

import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.health.consume.LatestObjects;
import dev.drydock.health.decide.StateLabel;
import dev.drydock.health.drainer.decide.DrainDocument;
import dev.drydock.health.event.SpanId;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.EventUpdate;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the label and the record of a Node, and the states of events. */
final class NodeDrainWriter {
  private static final Logger LOG = LoggerFactory.getLogger(NodeDrainWriter.class);

  private final Kube kube;
  private final Supplier<EventStore> stores;
  private final NodeDrainerMetrics metrics;
  private final LatestObjects<QuarantinedNode> latest;

  /**
   * What is to be written on a Node.
   *
   * @param state the label; empty to remove it
   * @param record empty to keep the one that is there
   */
  record Edit(Optional<StateLabel> state, Optional<NodeDrainRecord> record) {}

  NodeDrainWriter(
      Kube kube,
      Supplier<EventStore> stores,
      NodeDrainerMetrics metrics,
      LatestObjects<QuarantinedNode> latest) {
    this.kube = kube;
    this.stores = stores;
    this.metrics = metrics;
    this.latest = latest;
  }

  /** Reads the Node as it is now; empty if there is none. */
  Optional<QuarantinedNode> read(String name) {
    return kube.http()
        .find(Resource.NODES, "", name)
        .map(node -> latest.wrote(name, QuarantinedNode.read(node)));
  }

  /**
   * Edits a Node as it is now: one that has changed since it was read is looked at again.
   *
   * @param edit empty if nothing is to be written
   * @return the Node afterwards; empty if nothing was written
   */
  Optional<QuarantinedNode> edit(
      QuarantinedNode node, Function<QuarantinedNode, Optional<Edit>> edit) {
    return Patch.retrying(
            "state of node " + node.name(),
            Optional.of(node),
            () -> read(node.name()),
            seen -> {
              Optional<Edit> wanted = seen.flatMap(edit);
              return wanted.isEmpty()
                  ? Optional.of(Attempt.NONE)
                  : write(seen.orElseThrow(), wanted.get())
                      .map(after -> new Attempt(Optional.of(after)));
            })
        .written();
  }

  /** What one attempt brought. */
  private record Attempt(Optional<QuarantinedNode> written) {
    static final Attempt NONE = new Attempt(Optional.empty());
  }

  private Optional<QuarantinedNode> write(QuarantinedNode node, Edit edit) {
    boolean same =
        node.state().equals(edit.state())
            && node.hasState() == edit.state().isPresent()
            && (edit.record().isEmpty() || edit.record().equals(node.record()));
    if (same) {
      return Optional.of(node);
    }
    Patch patch =
        Patch.ifUnchanged(Resource.NODES, node.identity())
            .label(HealthNames.STATE_LABEL, edit.state().map(StateLabel::word).orElse(null));
    edit.record().ifPresent(record -> patch.annotation(NodeDrainerNames.RECORD, record.write()));
    Optional<QuarantinedNode> after =
        patch.sendUnlessConflict(kube.http()).map(QuarantinedNode::read);
    after.ifPresent(
        written -> {
          latest.wrote(node.name(), written);
          if (!StateLabel.isExpected(node.state(), edit.state())) {
            metrics.stateChanges().unexpected(node.state(), edit.state());
            LOG.warn(
                "node {}: the state label goes from {} to {}, which is not usual",
                node.name(),
                node.state().map(StateLabel::word).orElse("none"),
                edit.state().map(StateLabel::word).orElse("none"));
          }
        });
    return after;
  }

  /** Parts of the state only: consumers take a whole one for final. */
  void begin(Collection<DrainDocument> documents) {
    store(
        documents.stream()
            .map(
                document ->
                    new EventUpdate(
                        document.id(),
                        StatusUpdate.NONE
                            .evictionStatus(HealthStatus.IN_PROGRESS)
                            .spanId(HealthNames.NODE_DRAINER, span(document.id()))))
            .toList());
  }

  static String span(String id) {
    return SpanId.of(HealthNames.NODE_DRAINER, id);
  }

  void say(DrainDocument document, String message) {
    store(List.of(new EventUpdate(document.id(), StatusUpdate.NONE.evictionMessage(message))));
  }

  /** The whole state, which consumers take for final. */
  static EventUpdate end(DrainDocument document, HealthStatus status, String message, Instant now) {
    StatusUpdate update =
        StatusUpdate.NONE
            .eviction(status, message)
            .spanId(HealthNames.NODE_DRAINER, span(document.id()));
    boolean drained = status == HealthStatus.SUCCEEDED || status == HealthStatus.ALREADY_DRAINED;
    return new EventUpdate(document.id(), drained ? update.drainFinished(now) : update);
  }

  void store(List<EventUpdate> updates) {
    if (!updates.isEmpty()) {
      var _ = stores.get().update(updates);
    }
  }
}
