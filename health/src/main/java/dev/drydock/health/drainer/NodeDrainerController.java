package dev.drydock.health.drainer;

import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.health.consume.LatestObjects;
import dev.drydock.health.consume.NodeFeed;
import dev.drydock.health.consume.PendingEvents;
import dev.drydock.health.consume.PendingEvents.Pending;
import dev.drydock.health.consume.ResumeControl;
import dev.drydock.health.customdrain.CustomDrains;
import dev.drydock.health.decide.StateLabel;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drains nodes that are in quarantine because of health events, or lets others drain them. Events
 * come from the store's change feed; each node has a loop of its own.
 */
public final class NodeDrainerController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeDrainerController.class);

  /** How many events of an earlier process are in memory at a time. */
  private static final int MOST_REPLAYED = 2000;

  private static final Duration UNTIL_SERVED = Duration.ofSeconds(10);

  private final Kube kube;
  private final Supplier<EventStore> stores;
  private final Options options;
  private final NodeDrainerContext context;
  private final ControlLoops<String> loops;
  private final ControlLoop feeding;
  private final SystemNamespaceCheck namespaces;
  private EventQuery unfinished =
      EventQuery.ALL.withNodeQuarantined(
          HealthStatus.QUARANTINED.word(), HealthStatus.ALREADY_QUARANTINED.word());
  private volatile boolean begun;
  private volatile boolean replayed;
  private volatile boolean served;
  private boolean relisted;

  /** What was stored before is not read again, because a person has asked for that. */
  private Instant cutoff = Instant.MIN;

  /**
   * How it works.
   *
   * @param namespace of the ConfigMap by which a person makes it begin anew
   * @param dryRun whether decisions are only logged
   */
  public record Options(String namespace, boolean dryRun) {}

  public NodeDrainerController(
      DrainEngine engine,
      Supplier<EventStore> stores,
      NodeDrainerConfig config,
      Options options,
      NodeDrainerMetrics metrics) {
    kube = engine.kube();
    this.stores = stores;
    this.options = options;
    Watch<QuarantinedNode> nodes =
        kube.watches()
            .of(
                Watch.Kind.of(Resource.NODES.all(), QuarantinedNode::read)
                    .groupedBy(QuarantinedNode::name)
                    .reportingUnreadable(Resource.NODES),
                new NodeListener());
    LatestObjects<QuarantinedNode> latest = new LatestObjects<>(nodes);
    PendingEvents pending = new PendingEvents();
    context =
        new NodeDrainerContext(
            kube,
            stores,
            config,
            options.dryRun(),
            engine,
            config.customDrain().map(custom -> new CustomDrains(kube, custom, this::drainChanged)),
            metrics,
            new NodeDrainEvents(kube),
            new NodeDrainWriter(kube, stores, metrics, latest),
            pending,
            new NodeFeed(new Handler(), pending, kube.clock()),
            nodes,
            latest,
            ConcurrentHashMap.newKeySet(),
            this::wake);
    loops = kube.loops("node-drainer", name -> new NodeDrainReconciler(name, context));
    feeding = kube.loop("node-drainer-feed", this::feed);
    namespaces = new SystemNamespaceCheck(kube, config);
  }

  public void start() {
    context.nodes().start();
    feeding.wake();
    namespaces.start();
  }

  private void wake(String name) {
    loops.wake(name);
  }

  /** Something changed that all drains depend on, such as the andon cord. */
  public void wakeAll() {
    loops.wakeAll();
  }

  /** What a drain depends on; the status of a Node changes all the time. */
  private static boolean isSame(QuarantinedNode before, QuarantinedNode after) {
    return before.uid().equals(after.uid())
        && before.labels().equals(after.labels())
        && before.quarantined() == after.quarantined()
        && before.episode().equals(after.episode())
        && before.holders().equals(after.holders());
  }

  private final class NodeListener implements Watch.Listener<QuarantinedNode> {
    @Override
    public void changed(@Nullable QuarantinedNode before, @Nullable QuarantinedNode after) {
      if (before != null && after != null && isSame(before, after)) {
        return;
      }
      if (after != null && isOurBusiness(after)) {
        loops.wake(after.name());
      } else if (before != null && (after == null || loops.serves(before.name()))) {
        loops.wake(before.name());
      }
    }

    @Override
    public void refreshed() {
      feeding.wake();
      lookAtAll();
    }
  }

  private boolean isOurBusiness(QuarantinedNode node) {
    return loops.serves(node.name())
        || context.pending().has(node.name())
        || !node.holders().isEmpty()
        || node.state().filter(NodeDrainerController::isOpen).isPresent();
  }

  /** A drain that failed goes on when the kind of its resource is back. */
  private static boolean isOpen(StateLabel state) {
    return switch (state) {
      case QUARANTINED, DRAINING, DRAIN_FAILED -> true;
      default -> false;
    };
  }

  private void lookAtAll() {
    context.nodes().state().items().stream()
        .filter(this::isOurBusiness)
        .forEach(node -> loops.wake(node.name()));
    loops.wakeAll();
  }

  private void drainChanged(String node) {
    if (node.isEmpty()) {
      lookAtAll();
      context.customDrains().ifPresent(custom -> custom.nodes().forEach(loops::wake));
    } else {
      loops.wake(node);
    }
  }

  private Instant feed() {
    if (!context.isKnown()) {
      return Instant.MAX; // woken when the nodes are
    }
    if (!isServed()) {
      return kube.clock().instant().plus(UNTIL_SERVED);
    }
    if (!begun) {
      begin();
      begun = true;
    }
    if (!replayed && !replay()) {
      return Instant.MAX; // woken when there is room for more of them
    }
    Instant later = context.feed().read();
    if (!relisted && context.feed().relistReason().isPresent()) {
      relisted = true;
      context.metrics().relisted(HealthNames.NODE_DRAINER);
    }
    return later;
  }

  /** Whether drains can be left to others, if they are to be; their CRD may not be there yet. */
  private boolean isServed() {
    if (served) {
      return true;
    }
    Optional<CustomDrains> custom = context.customDrains();
    boolean known = custom.isEmpty() || custom.get().isServed();
    if (known) {
      // an earlier process may have left some behind
      custom.ifPresent(drains -> drains.nodes().forEach(loops::wake));
      served = true;
    } else {
      LOG.warn(
          "waiting for the CRD of {} of {}",
          custom.get().config().kind(),
          custom.get().config().apiVersion());
    }
    return served;
  }

  /** Why events are not taken at present, if so. */
  public Optional<String> unready() {
    if (!begun && served) {
      return Optional.of("the node drainer has no event store yet");
    }
    return context
        .customDrains()
        .filter(_ -> !served)
        .map(
            custom ->
                "the node drainer waits for the CRD of %s of %s"
                    .formatted(custom.config().kind(), custom.config().apiVersion()));
  }

  /** A person may have asked to leave the backlog out, by one of the original's ConfigMaps. */
  private void begin() {
    cutoff =
        new ResumeControl(kube.http(), options.namespace(), HealthNames.NODE_DRAINER)
            .start(stores.get(), () -> open(FeedStart.NOW), kube.clock().instant());
  }

  private ChangeFeed open(FeedStart start) {
    return stores
        .get()
        .feed(HealthNames.NODE_DRAINER, ChangeFilter.QUARANTINE_DECISIONS, start, feeding::wake);
  }

  /**
   * Takes up the drains of an earlier process, some at a time. Returns whether these were all. What
   * a later event has ended is found out by the loop of the node.
   */
  private boolean replay() {
    while (context.feed().waiting() < MOST_REPLAYED) {
      List<StoredEvent> page = stores.get().query(unfinished);
      for (StoredEvent stored : page) {
        boolean open = !DrainDocuments.read(stored, false).isEnded();
        if (open && !stored.createdAt().isBefore(cutoff)) {
          context.metrics().replayed();
          context.pending().add(new Pending(stored, true, this::takenUp));
          loops.wake(stored.event().nodeName());
        }
      }
      if (page.size() < unfinished.limit()) {
        replayed = true;
        return true;
      }
      unfinished = unfinished.after(page.getLast());
    }
    return false;
  }

  private void takenUp() {
    if (!replayed) {
      feeding.wake();
    }
  }

  private final class Handler implements NodeFeed.Handler {
    @Override
    public ChangeFeed open() {
      return NodeDrainerController.this.open(FeedStart.LIST);
    }

    @Override
    public Optional<Pending> take(Change change, boolean again, Runnable done) {
      StoredEvent stored = change.event();
      context.metrics().received();
      boolean ended = DrainDocuments.read(stored, false).isEnded();
      boolean ends = HealthStatus.UN_QUARANTINED.is(stored.status().nodeQuarantined());
      if ((ended && !ends) || stored.createdAt().isBefore(cutoff)) {
        return Optional.empty();
      }
      String node = stored.event().nodeName();
      context
          .metrics()
          .assigned(
              context
                  .node(node)
                  .flatMap(QuarantinedNode::state)
                  .equals(Optional.of(StateLabel.DRAINING)),
              !context.pending().has(node));
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

  /** Brings gauges up to date. */
  public void refreshMetrics() {
    context.metrics().refresh(context.pending().count() + loops.keys().size(), context.waiting());
  }

  @Override
  public void close() {
    feeding.close();
    loops.close();
    namespaces.close();
    context.customDrains().ifPresent(CustomDrains::close);
    context.nodes().close();
    context.feed().close();
  }
}
