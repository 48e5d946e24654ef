package dev.drydock.health.quarantine;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.health.consume.PendingEvents.Pending;
import dev.drydock.health.decide.Breaker.Answer;
import dev.drydock.health.decide.Breaker.Candidate;
import dev.drydock.health.decide.Incoming;
import dev.drydock.health.decide.MarkedNode;
import dev.drydock.health.decide.MarkedNode.ManualEnd;
import dev.drydock.health.decide.NodeEdit;
import dev.drydock.health.decide.Quarantine;
import dev.drydock.health.decide.QuarantineDecision;
import dev.drydock.health.decide.QuarantineDecision.Change;
import dev.drydock.health.decide.QuarantineDecision.Ignore;
import dev.drydock.health.decide.QuarantineDecision.Repeat;
import dev.drydock.health.decide.QuarantineFold;
import dev.drydock.health.decide.QuarantineFold.Entry;
import dev.drydock.health.decide.QuarantineFold.Outcome;
import dev.drydock.health.store.EventUpdate;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one writer of a node's quarantine. Takes the node's events in order, as many as there are,
 * and brings the Node in line with one patch; then stores what came of each.
 */
final class NodeQuarantineReconciler implements ControlLoops.Reconciler {
  private static final Logger LOG = LoggerFactory.getLogger(NodeQuarantineReconciler.class);

  /** How many outcomes can be noted on the Node without filling its annotations. */
  private static final int MOST = 100;

  private final String name;
  private final QuarantineContext context;

  NodeQuarantineReconciler(String name, QuarantineContext context) {
    this.name = name;
    this.context = context;
  }

  @Override
  public Optional<Instant> step() {
    if (!context.isKnown()) {
      return Optional.of(Instant.MAX); // woken when it is
    }
    return context.feed().step(name, this::work);
  }

  private Optional<Instant> work() {
    endManually();
    List<Pending> batch = context.pending().first(name, MOST);
    while (!batch.isEmpty()) {
      Optional<Instant> later = attempt(batch);
      if (later.isPresent()) {
        return later;
      }
      batch = context.pending().first(name, MOST);
    }
    return Optional.empty();
  }

  private Instant now() {
    return context.kube().clock().instant();
  }

  private Optional<QuarantineNodeObject> read() {
    return context.kube().http().find(Resource.NODES, "", name).map(this::parsed);
  }

  private QuarantineNodeObject parsed(JsonNode node) {
    return context
        .latest()
        .wrote(name, QuarantineNodeObject.read(node, context.rules().labelPrefix()));
  }

  /** A person who uncordons a node or removes a taint has decided: the quarantine is over. */
  private void endManually() {
    if (context.node(name).map(node -> node.node().manualEnd()).orElse(ManualEnd.NONE)
            == ManualEnd.NONE
        || context.options().dryRun()) {
      return;
    }
    // First the events: were the process to die after the Node was written, nothing would tell of
    // them any more.
    context.writer().cancel(name);
    Patch.retrying(
            "quarantine of node " + name,
            context.node(name),
            this::read,
            node -> {
              ManualEnd end = node.map(one -> one.node().manualEnd()).orElse(ManualEnd.NONE);
              if (node.isEmpty() || end == ManualEnd.NONE) {
                return Optional.of(Attempt.GONE);
              }
              NodeEdit edit = context.edits().planManualEnd(node.get().node(), now());
              Optional<NodeHolds.Edited> edited = context.writer().write(node.get(), edit, now());
              edited.ifPresent(
                  _ -> {
                    LOG.info(
                        "node {} was released by hand ({}): its quarantine is over", name, end);
                    context.counted(name, end);
                  });
              return edited.map(written -> new Attempt(Optional.empty(), Optional.of(written)));
            })
        .edited()
        .ifPresent(this::written);
  }

  private void written(NodeHolds.Edited edited) {
    var _ = parsed(edited.node());
    context.writer().record(edited);
  }

  /** Were it to fail after the Node was written, the events must not be taken for new ones. */
  private Optional<Instant> attempt(List<Pending> batch) {
    boolean done = false;
    try {
      Optional<Instant> later = process(batch);
      done = true;
      return later;
    } finally {
      if (!done) {
        context.pending().attempted(name, batch.size());
      }
    }
  }

  /** When to go on, if a breaker slows down; all events of the batch before it are done then. */
  private Optional<Instant> process(List<Pending> batch) {
    Instant begun = now();
    Attempt done =
        Patch.retrying(
            "quarantine of node " + name,
            context.node(name).or(this::read),
            this::read,
            node -> node.isEmpty() ? Optional.of(Attempt.GONE) : attempt(node.get(), batch));
    if (done.equals(Attempt.GONE)) {
      LOG.warn("{} events are about node {}, which does not exist", batch.size(), name);
      batch.forEach(_ -> context.metrics().failed("node_not_found"));
      context.pending().done(name, batch.size());
      return Optional.empty();
    }
    QuarantineFold.Result result = done.result().orElseThrow();
    List<EventUpdate> updates = new ArrayList<>();
    for (int i = 0; i < result.outcomes().size(); i++) {
      conclude(batch.get(i).stored(), result.outcomes().get(i)).ifPresent(updates::add);
    }
    if (!context.options().dryRun()) {
      context.writer().store(updates);
    }
    done.edited().ifPresent(this::written);
    result.outcomes().forEach(_ -> context.metrics().processed(Duration.between(begun, now())));
    context.pending().done(name, result.outcomes().size());
    return result.later();
  }

  /** What one attempt brought. */
  private record Attempt(
      Optional<QuarantineFold.Result> result, Optional<NodeHolds.Edited> edited) {
    /** The node is gone, or its quarantine is over already. */
    static final Attempt GONE = new Attempt(Optional.empty(), Optional.empty());
  }

  /** Empty after a conflict. */
  private Optional<Attempt> attempt(QuarantineNodeObject node, List<Pending> batch) {
    List<Incoming> events = batch.stream().map(pending -> incoming(node, pending)).toList();
    MarkedNode marked = node.node();
    QuarantineFold.Result result =
        QuarantineFold.of(marked.state(), events, new BatchGate(marked, batch), now());
    if (!result.changesNode()) {
      return Optional.of(new Attempt(Optional.of(result), Optional.empty()));
    }
    NodeEdit edit = context.edits().plan(marked, result.after(), now());
    if (context.options().dryRun()) {
      LOG.info("dry run: node {} would be changed: {}", name, edit);
      return Optional.of(new Attempt(Optional.of(result), Optional.empty()));
    }
    Optional<NodeHolds.Edited> edited =
        context.writer().write(node, edit, validation(node, batch, result), now());
    edited.ifPresent(_ -> context.counted(node, edit));
    return edited.map(written -> new Attempt(Optional.of(result), Optional.of(written)));
  }

  /** Absent if the node is not to be validated, or nothing is added. */
  private Optional<String> validation(
      QuarantineNodeObject node, List<Pending> batch, QuarantineFold.Result result) {
    if (context.rules().validation().isEmpty()) {
      return Optional.empty();
    }
    List<HealthEvent> added = new ArrayList<>();
    for (int i = 0; i < result.outcomes().size(); i++) {
      if (result.outcomes().get(i) instanceof Outcome.Decided(Change change)
          && ValidationEvents.isAdded(change, batch.get(i).stored().id())) {
        added.add(batch.get(i).stored().event());
      }
    }
    boolean begins = node.node().state().quarantine().isEmpty();
    String before = begins ? "" : node.annotation(QuarantineNames.VALIDATION);
    String after = ValidationEvents.with(before, added, context.rules().validation().get());
    return after.equals(node.annotation(QuarantineNames.VALIDATION))
        ? Optional.empty()
        : Optional.of(after);
  }

  private Incoming incoming(QuarantineNodeObject node, Pending pending) {
    HealthEvent event = pending.stored().event();
    List<String> matched =
        event.isHealthy()
            ? List.of()
            : context.rules().matching(event, node.variables(), context.metrics()::evaluated);
    return new Incoming(
        event, pending.stored().createdAt(), matched, pending.again(), next(node, pending));
  }

  /** Only asked for if a failure is tracked that was stored at the same time. */
  private Set<String> next(QuarantineNodeObject node, Pending pending) {
    StoredEvent stored = pending.stored();
    boolean unclear =
        pending.again()
            && stored.event().isHealthy()
            && node.node().state().quarantine().map(Quarantine::faults).orElse(List.of()).stream()
                .anyMatch(fault -> fault.created().filter(stored.createdAt()::equals).isPresent());
    return unclear ? context.writer().next(stored) : Set.of();
  }

  /** Knows what may be added to the quarantine of a node by the events of a batch. */
  private final class BatchGate implements QuarantineFold.Gate {
    private final MarkedNode node;
    private final List<StoredEvent> batch;
    private @Nullable Set<String> superseded;

    private BatchGate(MarkedNode node, List<Pending> batch) {
      this.node = node;
      this.batch =
          batch.stream()
              .map(Pending::stored)
              .filter(stored -> !stored.event().isHealthy())
              .toList();
    }

    @Override
    public boolean isSuperseded(Incoming incoming) {
      Set<String> known = superseded;
      if (known == null) {
        known = context.writer().superseded(batch);
        superseded = known;
      }
      return known.contains(incoming.event().id());
    }

    @Override
    public Entry ask(Incoming incoming) {
      Optional<String> stopped = context.stopped().get();
      if (stopped.isPresent()) {
        return new Entry.Blocked(stopped.get());
      }
      Candidate candidate = new Candidate(name, incoming.event().checkName(), node.labels());
      return switch (context.breaker().admit(candidate, context.fleet(), now())) {
        case Answer.Admit _ -> new Entry.Open();
        case Answer.Slow slow -> new Entry.Later(slow.until());
        case Answer.Blocked blocked ->
            new Entry.Blocked("breaker " + blocked.scope() + " is tripped");
        case Answer.Trip trip -> new Entry.Blocked("breaker " + trip.scope() + " trips");
      };
    }
  }

  /** What is to be stored about an event, if anything. */
  private Optional<EventUpdate> conclude(StoredEvent stored, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Blocked(String why) -> {
        LOG.warn("node {} is not quarantined for event {}: {}", name, stored.id(), why);
        if (!context.options().dryRun()) {
          context.breaker().blocked(stored.createdAt());
        }
        yield Optional.empty();
      }
      case Outcome.Superseded() -> {
        context.metrics().replayed("superseded");
        yield Optional.empty();
      }
      case Outcome.Decided(QuarantineDecision decision) ->
          switch (decision) {
            case Ignore _ -> Optional.empty();
            case Repeat(HealthStatus status, String episode) ->
                Optional.of(QuarantineWriter.update(stored.id(), status, episode, now()));
            case Change change -> {
              LOG.info(
                  "node {}: event {} ({}): {}",
                  name,
                  stored.id(),
                  stored.event().checkName(),
                  change.status().word());
              if (change.kind() == QuarantineDecision.Kind.BEGIN) {
                context.metrics().quarantined(name, Duration.between(stored.createdAt(), now()));
              }
              yield Optional.of(
                  QuarantineWriter.update(stored.id(), change.status(), change.episode(), now()));
            }
          };
    };
  }
}
