package dev.drydock.health.quarantine;

import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.health.consume.LatestByNode;
import dev.drydock.health.consume.PendingEvents;
import dev.drydock.health.consume.PendingEvents.Pending;
import dev.drydock.health.decide.Breaker.Candidate;
import dev.drydock.health.decide.Breaker.Fleet;
import dev.drydock.health.decide.MarkedNode.ManualEnd;
import dev.drydock.health.decide.Quarantine;
import dev.drydock.health.rules.QuarantineRules;
import dev.drydock.health.store.Change;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.FeedStart;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes nodes out of service because of health events, and back when they have recovered. Events
 * come from the store's change feed; each node has a loop of its own, which is the only writer of
 * its quarantine.
 */
public final class QuarantineController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QuarantineController.class);

  /** How many changes are asked for at a time. */
  private static final int PAGE = 500;

  private final Kube kube;
  private final EventStore store;
  private final QuarantineContext context;
  private final ControlLoops<String> loops;
  private final ControlLoop feeding;
  private final Instant started;

  /** Blocked events that are being looked at again. */
  private final AtomicInteger resuming = new AtomicInteger();

  private volatile @Nullable Fleet fleet;
  private @Nullable ChangeFeed feed;
  private boolean recalled;
  private Set<String> blockers = Set.of();

  /**
   * @param stopped why the andon cord keeps new quarantines from beginning, if it does
   */
  public QuarantineController(
      Kube kube,
      EventStore store,
      QuarantineRules rules,
      QuarantineOptions options,
      QuarantineMetrics metrics,
      Supplier<Optional<String>> stopped) {
    this.kube = kube;
    this.store = store;
    started = kube.clock().instant();
    Watch<QuarantineNodeObject> nodes =
        kube.watches()
            .of(
                Watch.Kind.of(
                        Resource.NODES.all(),
                        node -> QuarantineNodeObject.read(node, rules.labelPrefix()))
                    .groupedBy(QuarantineNodeObject::name)
                    .reportingUnreadable(Resource.NODES),
                new NodeListener());
    context =
        new QuarantineContext(
            kube,
            rules,
            rules.edits(),
            options,
            new QuarantineWriter(new NodeHolds(kube), store),
            metrics,
            new BreakerSwitch(kube, options.namespace(), rules.breaker(), this::wake),
            new PendingEvents(),
            nodes,
            new LatestByNode<>(),
            this::fleet,
            stopped);
    loops = kube.loops("quarantine", name -> new NodeQuarantineReconciler(name, context));
    feeding = kube.loop("quarantine feed", this::feed);
  }

  public void start() {
    context.nodes().start();
    context.breaker().start();
    feeding.wake();
  }

  /** Something changed that all nodes depend on, such as the andon cord. */
  public void wake() {
    feeding.wake();
    loops.wakeAll();
  }

  private final class NodeListener implements Watch.Listener<QuarantineNodeObject> {
    @Override
    public void changed(
        @Nullable QuarantineNodeObject before, @Nullable QuarantineNodeObject after) {
      boolean counts =
          before == null || after == null || !before.node().labels().equals(after.node().labels());
      fleet = counts ? null : fleet;
      if (after != null) {
        look(after);
      }
    }

    @Override
    public void refreshed() {
      fleet = null;
      context.nodes().state().items().forEach(QuarantineController.this::look);
      wake();
    }
  }

  private void look(QuarantineNodeObject node) {
    if (node.node().manualEnd() != ManualEnd.NONE || context.pending().has(node.name())) {
      loops.wake(node.name());
    }
  }

  private Fleet fleet() {
    Fleet known = fleet;
    if (known == null) {
      known =
          Fleet.of(
              context.nodes().state().items().stream().map(node -> node.node().labels()).toList(),
              context.options().gpuLabel(),
              context.options().gpuLabelValue(),
              context.rules().breaker());
      fleet = known;
    }
    return known;
  }

  private Instant feed() {
    context.breaker().prepare();
    if (!context.isKnown()) {
      return Instant.MAX;
    }
    if (!recalled) {
      recall();
      recalled = true;
    }
    ChangeFeed changes = feed;
    if (changes == null) {
      changes = open();
      feed = changes;
    }
    resume();
    List<Change> next = changes.next(PAGE);
    while (!next.isEmpty()) {
      for (Change change : next) {
        take(changes, change);
      }
      next.stream()
          .map(change -> change.event().event().nodeName())
          .distinct()
          .forEach(loops::wake);
      next = changes.next(PAGE);
    }
    return Instant.MAX;
  }

  /** A person may have asked to leave the backlog out, by the original's ConfigMap. */
  private ChangeFeed open() {
    boolean leavesOut = context.breaker().leavesOut();
    if (leavesOut) {
      store.forget(HealthNames.FAULT_QUARANTINE);
    }
    ChangeFeed opened =
        store.feed(
            HealthNames.FAULT_QUARANTINE,
            ChangeFilter.NEW_EVENTS,
            leavesOut ? FeedStart.NOW : FeedStart.LIST,
            feeding::wake);
    opened.relistReason().ifPresent(why -> LOG.warn("all stored events are read again: {}", why));
    if (leavesOut) {
      context.breaker().resumed();
    }
    return opened;
  }

  private void take(ChangeFeed changes, Change change) {
    StoredEvent stored = change.event();
    context.metrics().received();
    if (!isOpen(stored)) {
      changes.finished(change); // was decided on before
      return;
    }
    boolean again = change.kind() == Change.Kind.LISTED || stored.createdAt().isBefore(started);
    context.pending().add(new Pending(stored, again, () -> changes.finished(change)));
  }

  private static boolean isOpen(StoredEvent stored) {
    String word = stored.status().nodeQuarantined();
    return word.isEmpty() || HealthStatus.NOT_STARTED.is(word);
  }

  /** After a restart the breakers know of the quarantines that the Nodes tell of. */
  private void recall() {
    for (QuarantineNodeObject node : context.nodes().state().items()) {
      Optional<Quarantine> quarantine = node.node().state().quarantine();
      quarantine.ifPresent(
          one ->
              context
                  .breaker()
                  .recall(
                      new Candidate(
                          node.name(),
                          one.faults().getFirst().event().checkName(),
                          node.node().labels()),
                      one.since()));
    }
  }

  /** What keeps quarantines from beginning. */
  private Set<String> blockers() {
    Set<String> all = new HashSet<>();
    context.stopped().get().ifPresent(_ -> all.add("cord"));
    context.breaker().breaker().tripped().keySet().forEach(scope -> all.add(scope.toString()));
    return all;
  }

  /** Looks again at events that were blocked, when something does not block any more. */
  private void resume() {
    Set<String> now = blockers();
    boolean fewer = now.isEmpty() || !now.containsAll(blockers);
    blockers = now;
    Optional<Instant> since = context.breaker().blockedSince();
    if (since.isEmpty() || !fewer || resuming.get() > 0) {
      return;
    }
    if (context.breaker().leavesOut()) {
      LOG.info("events that were blocked since {} are left out", since.get());
      context.breaker().resumed();
      return;
    }
    LOG.info("events that were blocked since {} are looked at again", since.get());
    resuming.incrementAndGet();
    EventQuery query =
        EventQuery.ALL
            .withNodeQuarantined("", HealthStatus.NOT_STARTED.word())
            .createdSince(since.get());
    List<StoredEvent> page = store.query(query);
    while (!page.isEmpty()) {
      page.forEach(this::again);
      page = page.size() < query.limit() ? List.of() : store.query(query.after(page.getLast()));
    }
    resumed();
  }

  private void again(StoredEvent stored) {
    if (!stored.event().isHealthy() && stored.event().processingStrategy().acts()) {
      resuming.incrementAndGet();
      context.metrics().replayed("processed");
      context.pending().add(new Pending(stored, true, this::resumed));
      loops.wake(stored.event().nodeName());
    }
  }

  /** The last one forgets that there were any; those that were blocked anew say so again. */
  private void resumed() {
    if (resuming.decrementAndGet() == 0) {
      if (blockers().isEmpty()) {
        context.breaker().resumed();
      }
    }
  }

  /** Brings gauges up to date. */
  public void refreshMetrics() {
    context
        .metrics()
        .refresh(
            context.nodes().state().items().stream()
                .filter(node -> node.node().state().quarantine().isPresent())
                .map(QuarantineNodeObject::name)
                .toList(),
            context.breaker().breaker(),
            fleet(),
            context.pending().count(),
            kube.clock().instant());
  }

  /** How many events wait for their nodes. */
  public int pending() {
    return context.pending().count();
  }

  @Override
  public void close() {
    feeding.close();
    loops.close();
    context.breaker().close();
    context.nodes().close();
    ChangeFeed open = feed;
    if (open != null) {
      open.close();
    }
  }
}
