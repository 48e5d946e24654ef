package dev.drydock.health.drainer;

import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.health.consume.PendingEvents.Pending;
import dev.drydock.health.customdrain.CustomDrains;
import dev.drydock.health.drainer.decide.DocumentDecider;
import dev.drydock.health.drainer.decide.DocumentDecider.Verdict;
import dev.drydock.health.drainer.decide.DrainDocument;
import dev.drydock.health.drainer.decide.DrainGoal;
import dev.drydock.health.drainer.decide.DrainScope;
import dev.drydock.health.drainer.decide.QuarantineFacts;
import dev.drydock.health.store.EventUpdate;
import dev.drydock.kube.ControlLoops;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one who drains a node. Takes the node's events, however many there are, and keeps at most one
 * drain of each scope running for all of them. All that it knows it can read again: from the store,
 * the Node and the resources of drains by others.
 */
final class NodeDrainReconciler implements ControlLoops.Reconciler {
  private static final Logger LOG = LoggerFactory.getLogger(NodeDrainReconciler.class);
  private static final int MOST = 500;

  private final String name;
  private final NodeDrainerContext context;
  private final DrainDocuments documents;
  private final NodeDrains drains;
  private final NodeDrainLabels labels;

  NodeDrainReconciler(String name, NodeDrainerContext context) {
    this.name = name;
    this.context = context;
    documents = new DrainDocuments(context.stores(), name, context.config().partialDrain());
    labels = new NodeDrainLabels(context.writer(), context.kube().clock());
    drains = new NodeDrains(name, context, documents, labels);
  }

  /**
   * What the events mean now.
   *
   * @param wanted those that the node is to be drained for
   */
  private record Look(
      Optional<QuarantinedNode> node,
      QuarantineFacts facts,
      List<DrainDocument> wanted,
      Map<DrainDocument, Verdict.Conclude> concluded,
      boolean asksNode) {}

  @Override
  public Optional<Instant> step() {
    if (!context.isKnown()) {
      return Optional.of(Instant.MAX); // woken when it is
    }
    Duration begun = context.kube().time().elapsed();
    Optional<Look> look = context.feed().step(name, this::take, Optional::isPresent);
    if (look.isEmpty()) {
      return Optional.of(Instant.MAX); // woken when the others have ended
    }
    Optional<Instant> next =
        context.dryRun()
            ? Optional.empty()
            : drains.advance(context.node(name), DrainGoal.of(look.get().wanted()));
    next = next.isEmpty() && context.pending().has(name) ? Optional.of(now()) : next;
    if (next.isEmpty() && !context.dryRun()) {
      restoreLabel(look.get());
    }
    context.metrics().handled(context.kube().time().elapsed().minus(begun));
    return next;
  }

  /** Takes the events that wait; empty while drains that are not wanted any more have not ended. */
  private Optional<Look> take() {
    List<Pending> batch = context.pending().first(name, MOST);
    Look look = look(context.node(name), batch, false);
    if (look.asksNode()) {
      look = look(context.writer().read(name), batch, true);
    }
    List<DrainGoal> goals = DrainGoal.of(look.wanted());
    if (context.dryRun()) {
      goals.forEach(goal -> LOG.info("dry run: node {} would be drained for {}", name, goal));
    } else if (drains.keepOnly(goals)) {
      conclude(look);
      begin(look.wanted());
    } else {
      return Optional.empty();
    }
    context.pending().done(name, batch.size());
    return Optional.of(look);
  }

  private Instant now() {
    return context.kube().clock().instant();
  }

  private Look look(Optional<QuarantinedNode> node, List<Pending> batch, boolean certain) {
    documents.load(node.map(QuarantinedNode::episode).orElse(""));
    batch.forEach(pending -> documents.put(pending.stored()));
    QuarantineFacts facts = documents.facts(node, certain);
    reopen(node, facts);
    List<DrainScope> drained =
        documents.ended(facts).stream()
            .filter(DrainDocument::isDrained)
            .map(DrainDocument::scope)
            .toList();
    List<DrainDocument> wanted = new ArrayList<>();
    Map<DrainDocument, Verdict.Conclude> concluded = new LinkedHashMap<>();
    boolean asks = false;
    for (DrainDocument document : documents.open()) {
      switch (DocumentDecider.decide(document, facts, drained)) {
        case Verdict.Drain() -> wanted.add(document);
        case Verdict.Conclude conclude -> concluded.put(document, conclude);
        case Verdict.AskNode() -> asks = true;
        case Verdict.Ignore() -> {}
      }
    }
    return new Look(node, facts, wanted, concluded, asks);
  }

  /** Drains that failed because the kind of their resource was missing, when it is back. */
  private void reopen(Optional<QuarantinedNode> node, QuarantineFacts facts) {
    if (context.customDrains().isEmpty() || node.filter(QuarantinedNode::quarantined).isEmpty()) {
      return;
    }
    List<DrainDocument> failed =
        documents.ended(facts).stream()
            .filter(document -> HealthStatus.FAILED.is(document.drain()))
            .filter(document -> document.message().startsWith(CustomDrains.KIND_MISSING))
            .toList();
    if (!failed.isEmpty() && !context.dryRun() && context.customDrains().get().isServed()) {
      LOG.info("node {}: the kind of its drain is served again; the drain goes on", name);
      context.writer().begin(failed);
      failed.forEach(document -> documents.put(document.with(HealthStatus.IN_PROGRESS, "")));
    }
  }

  /** Label first: consumers act on the state of an event, and then write the label themselves. */
  private void conclude(Look look) {
    boolean failed =
        look.concluded().values().stream().anyMatch(each -> each.status() == HealthStatus.FAILED);
    if (failed && look.wanted().isEmpty()) {
      look.node().ifPresent(labels::failed);
    }
    boolean over =
        look.concluded().values().stream()
            .anyMatch(each -> each.status() != HealthStatus.ALREADY_DRAINED);
    if (over) {
      look.node().ifPresent(labels::clear);
    }
    Instant now = now();
    List<EventUpdate> updates = new ArrayList<>();
    look.concluded()
        .forEach(
            (document, verdict) -> {
              updates.add(NodeDrainWriter.end(document, verdict.status(), verdict.message(), now));
              LOG.info(
                  "node {}: event {} ({}): {}: {}",
                  name,
                  document.id(),
                  document.checkName(),
                  verdict.status().word(),
                  verdict.message());
            });
    context.writer().store(updates);
    look.concluded()
        .forEach(
            (document, verdict) -> {
              documents.put(document.with(verdict.status(), verdict.message()));
              count(document, verdict.status());
            });
  }

  private void count(DrainDocument document, HealthStatus status) {
    context.metrics().processed(name, status, document.scope());
    if (status == HealthStatus.CANCELLED) {
      context.metrics().cancelled(name, document.checkName());
    }
  }

  private void begin(List<DrainDocument> wanted) {
    List<DrainDocument> fresh =
        wanted.stream().filter(document -> !HealthStatus.IN_PROGRESS.is(document.drain())).toList();
    context.writer().begin(fresh);
    fresh.forEach(
        document -> documents.put(document.with(HealthStatus.IN_PROGRESS, document.message())));
  }

  /** A process may have died after it had stored the end of a drain, and before the label. */
  private void restoreLabel(Look look) {
    context
        .node(name)
        .filter(node -> node.quarantined() && documents.open().isEmpty())
        .ifPresent(
            node ->
                DocumentDecider.missingLabel(node.state(), documents.ended(look.facts()))
                    .ifPresent(label -> labels.write(node, label)));
  }

  @Override
  public void close() {
    drains.close();
  }
}
