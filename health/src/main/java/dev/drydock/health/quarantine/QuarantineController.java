package dev.drydock.health.quarantine;

import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.health.consume.LatestObjects;
import dev.drydock.health.consume.NodeFeed;
import dev.drydock.health.consume.PendingEvents;
import dev.drydock.health.consume.PendingEvents.Pending;
import dev.drydock.health.consume.ResumeControl;
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
import java.time.Duration;
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

  /** How many blocked events are in memory when they are looked at again, besides one page. */
  private static final int MOST_RESUMING = 4000;

  private final Kube kube;
  private final EventStore store;
  private final QuarantineContext context;
  private final ControlLoops<String> loops;
  private final ControlLoop feeding;

  /** Blocked events that are being looked at again. */
  private final AtomicInteger resuming = new AtomicInteger();

  private volatile @Nullable Fleet fleet;
  private boolean started;
  private boolean relisted;

  /** What was stored before is not read again, because a person has asked for that. */
  private Instant cutoff = Instant.MIN;

  /** Whether events are looked at again, and the breakers have not been told yet. */
  private boolean resumes;

  /** Blocked events that are looked at again after those that are now, if there may be more. */
  private Optional<EventQuery> nextBlocked = Optional.empty();

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
    Watch<QuarantineNodeObject> nodes =
        kube.watches()
            .of(
                Watch.Kind.of(
                        Resource.NODES.all(),
                        node -> QuarantineNodeObject.read(node, rules.labelPrefix()))
                    .groupedBy(QuarantineNodeObject::name)
                    .reportingUnreadable(Resource.NODES),
                new NodeListener());
    PendingEvents pending = new PendingEvents();
    context =
        new QuarantineContext(
            kube,
            rules,
            rules.edits(),
            options,
            new QuarantineWriter(new NodeHolds(kube), store),
            metrics,
            new BreakerSwitch(kube, options.namespace(), rules.breaker(), this::wake),
            pending,
            new NodeFeed(new Handler(), pending, kube.clock()),
            nodes,
            new LatestObjects<>(nodes),
            this::fleet,
            stopped);
    loops = kube.loops("quarantine", name -> new NodeQuarantineReconciler(name, context));
    feeding = kube.loop("quarantine-feed", this::feed);
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
    Duration begun = kube.time().elapsed();
    boolean cold = !started;
    if (cold) {
      recall();
      begin();
      started = true;
    }
    resume();
    Instant later = context.feed().read();
    if (cold) {
      context.metrics().coldStarted(kube.time().elapsed().minus(begun));
    }
    if (!relisted && context.feed().relistReason().isPresent()) {
      relisted = true;
      context.metrics().relisted();
    }
    return later;
  }

  /** A person may have asked to leave the backlog out, by one of the original's ConfigMaps. */
  private void begin() {
    cutoff =
        new ResumeControl(kube.http(), context.options().namespace(), HealthNames.FAULT_QUARANTINE)
            .start(store, () -> open(FeedStart.NOW), kube.clock().instant());
    if (context.breaker().leavesOut()) {
      LOG.info("stored events are left out, as ConfigMap {} says", BreakerConfigMap.NAME);
      store.forget(HealthNames.FAULT_QUARANTINE);
      open(FeedStart.NOW).close(); // which stores the position
      context.breaker().leaveOut();
    }
  }

  private ChangeFeed open(FeedStart start) {
    return store.feed(HealthNames.FAULT_QUARANTINE, ChangeFilter.NEW_EVENTS, start, feeding::wake);
  }

  private final class Handler implements NodeFeed.Handler {
    @Override
    public ChangeFeed open() {
      return QuarantineController.this.open(FeedStart.LIST);
    }

    @Override
    public Optional<Pending> take(Change change, boolean again, Runnable done) {
      StoredEvent stored = change.event();
      context.metrics().received();
      if (!stored.isUndecided()) {
        return Optional.empty(); // was decided on before
      }
      if (stored.createdAt().isBefore(cutoff)) {
        context.metrics().replayed("skipped");
        return Optional.empty();
      }
      return Optional.of(new Pending(stored, again, done));
    }

    @Override
    public void wake(String node) {
      loops.wake(node);
    }

    @Override
    public void wakeFeed() {
      feeding.wake();
    }
  }

  /**
   * After a restart the breakers know of the quarantines that the Nodes tell of, except those that
   * a monitor has forced, which never count.
   */
  private void recall() {
    for (QuarantineNodeObject node : context.nodes().state().items()) {
      Optional<Quarantine> quarantine =
          node.node().state().quarantine().filter(one -> !one.faults().getFirst().isForced());
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
    if (resumes) {
      lookAtBlocked();
    }
    if (resumes) {
      return; // woken when there is room for more of them, or all are done
    }
    Set<String> now = blockers();
    boolean fewer = now.isEmpty() || !now.containsAll(blockers);
    Optional<Instant> since = context.breaker().blockedSince();
    if (since.isPresent() && fewer) {
      if (context.breaker().leavesOut()) {
        LOG.info("events that were blocked since {} are left out", since.get());
        context.breaker().leaveOut();
      } else {
        LOG.info("events that were blocked since {} are looked at again", since.get());
        context.breaker().resuming();
        resumes = true;
        nextBlocked =
            Optional.of(
                EventQuery.ALL
                    .withNodeQuarantined("", HealthStatus.NOT_STARTED.word())
                    .createdSince(since.get()));
        lookAtBlocked();
      }
    }
    blockers = now;
  }

  /** The next events that were blocked, page by page. */
  private void lookAtBlocked() {
    while (nextBlocked.isPresent() && resuming.get() <= MOST_RESUMING) {
      EventQuery query = nextBlocked.get();
      List<StoredEvent> page = store.query(query);
      nextBlocked =
          page.size() < query.limit() ? Optional.empty() : Optional.of(query.after(page.getLast()));
      again(
          page.stream()
              .filter(stored -> !stored.event().isHealthy())
              .filter(stored -> stored.event().processingStrategy().acts())
              .filter(stored -> !stored.createdAt().isBefore(cutoff))
              .toList());
    }
    if (nextBlocked.isEmpty() && resuming.get() == 0) {
      context.breaker().resumed();
      resumes = false;
    }
  }

  private void again(List<StoredEvent> blocked) {
    resuming.addAndGet(blocked.size());
    for (StoredEvent stored : blocked) {
      context.metrics().replayed("processed");
      context.pending().add(new Pending(stored, true, this::lookedAtAgain));
      loops.wake(stored.event().nodeName());
    }
  }

  private void lookedAtAgain() {
    int left = resuming.decrementAndGet();
    if (left == 0 || left == MOST_RESUMING) {
      feeding.wake();
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
            context.pending(),
            kube.clock().instant());
  }

  /** How many events wait for their nodes. */
  public int pending() {
    return context.pending().count();
  }

  /** Whether events wait for nodes that can be worked on. */
  public boolean isBusy() {
    return context.feed().waiting() > 0;
  }

  @Override
  public void close() {
    feeding.close();
    loops.close();
    context.breaker().close();
    context.nodes().close();
    context.feed().close();
  }
}
