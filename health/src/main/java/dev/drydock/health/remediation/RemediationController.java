package dev.drydock.health.remediation;

import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.consume.LatestObjects;
import dev.drydock.health.consume.ResumeControl;
import dev.drydock.health.remediation.decide.RemediationAttempt;
import dev.drydock.health.remediation.decide.RemediationDecider;
import dev.drydock.health.resource.KindSchemas;
import dev.drydock.health.store.Change;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.FeedStart;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Kube;
import dev.drydock.kube.ObjectName;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes maintenance resources for nodes that were quarantined and drained, and follows them until
 * the node is healthy again. What has to be done follows from the Node and the stored documents;
 * the store's change feed only says which nodes to look at.
 */
public final class RemediationController implements AutoCloseable {
  private static final int PAGE = 500;

  private final Kube kube;
  private final Supplier<EventStore> stores;
  private final RemediationContext context;
  private final ControlLoops<String> loops;
  private final ControlLoop feeding;
  private @Nullable ChangeFeed feed;
  private boolean relisted;
  private volatile Optional<DrainedDocuments> documents = Optional.empty();

  /**
   * @param stores opens the event store; may fail, and is then asked again
   * @param stopped why the andon cord keeps new work from beginning, if it does
   */
  public RemediationController(
      Kube kube,
      Supplier<EventStore> stores,
      RemediationConfig config,
      RemediationOptions options,
      RemediationMetrics metrics,
      Supplier<Optional<String>> stopped) {
    this.kube = kube;
    this.stores = stores;
    Watch<RemediationNodeObject> nodes =
        kube.watches()
            .of(
                Watch.Kind.of(
                        Resource.NODES.all(),
                        node -> RemediationNodeObject.read(node, config.kinds()))
                    .groupedBy(RemediationNodeObject::name)
                    .reportingUnreadable(Resource.NODES),
                new NodeListener());
    context =
        new RemediationContext(
            kube,
            config,
            new RemediationDecider(config.actions(), ObjectName::of),
            options,
            metrics,
            new MaintenanceResources(kube, this::changed),
            new KindSchemas(kube.http()),
            nodes,
            new LatestObjects<>(nodes),
            () -> documents,
            stopped);
    loops = kube.loops("remediation", name -> new NodeRemediationReconciler(name, context));
    feeding = kube.loop("remediation-feed", this::feed);
  }

  public void start() {
    context.nodes().start();
    feeding.wake();
  }

  /** Something changed that all nodes depend on, such as the andon cord. */
  public void wake() {
    feeding.wake();
    loops.wakeAll();
  }

  private void changed(String node) {
    if (node.isEmpty()) {
      loops.wakeAll();
    } else {
      loops.wake(node);
    }
  }

  private final class NodeListener implements Watch.Listener<RemediationNodeObject> {
    @Override
    public void changed(
        @Nullable RemediationNodeObject before, @Nullable RemediationNodeObject after) {
      if (after != null && after.concerns() && (before == null || !before.isSame(after))) {
        loops.wake(after.name());
      }
    }

    @Override
    public void refreshed() {
      wakeConcerned();
      wake();
    }
  }

  /** Whatever a process before this one has left undone is found by these nodes. */
  private void wakeConcerned() {
    context.nodes().state().items().stream()
        .filter(RemediationNodeObject::concerns)
        .forEach(node -> loops.wake(node.name()));
  }

  private Instant feed() {
    if (!context.nodes().isListed()) {
      return Instant.MAX;
    }
    ChangeFeed changes = feed;
    if (changes == null) {
      changes = open(stores.get());
      feed = changes;
      wakeConcerned();
    }
    List<Change> next = changes.next(PAGE);
    while (!next.isEmpty()) {
      for (Change change : next) {
        context.metrics().received();
        loops.wake(change.event().event().nodeName());
        changes.finished(change);
      }
      next = changes.next(PAGE);
    }
    if (!relisted && changes.relistReason().isPresent()) {
      relisted = true;
      context.metrics().relisted();
      wakeConcerned();
    }
    return Instant.MAX;
  }

  private ChangeFeed open(EventStore store) {
    Supplier<ChangeFeed> fromNow =
        () ->
            store.feed(
                HealthNames.FAULT_REMEDIATION,
                ChangeFilter.FINISHED_DRAINS,
                FeedStart.NOW,
                feeding::wake);
    Instant cutoff =
        new ResumeControl(kube.http(), context.options().namespace(), HealthNames.FAULT_REMEDIATION)
            .start(store, fromNow, kube.clock().instant());
    ChangeFeed opened = fromNow.get();
    documents = Optional.of(new DrainedDocuments(store, cutoff));
    return opened;
  }

  /** Brings gauges up to date. */
  public void refreshMetrics() {
    List<RemediationAttempt> open =
        context.nodes().state().items().stream()
            .flatMap(node -> node.journal().open().stream())
            .toList();
    long unserved = open.stream().filter(RemediationAttempt::unserved).count();
    context.metrics().refresh(open.size() - unserved, unserved);
  }

  @Override
  public void close() {
    feeding.close();
    loops.close();
    context.resources().close();
    context.nodes().close();
    ChangeFeed open = feed;
    if (open != null) {
      open.close();
    }
  }
}
