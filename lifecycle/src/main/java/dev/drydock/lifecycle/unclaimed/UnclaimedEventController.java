package dev.drydock.lifecycle.unclaimed;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Kube;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.lifecycle.api.LifecycleClusterCaches;
import dev.drydock.lifecycle.api.LifecycleEventObject;
import dev.drydock.lifecycle.api.LifecycleEventWriter;
import dev.drydock.lifecycle.api.NodeTransitionReporter;
import dev.drydock.lifecycle.decide.UnclaimedEventDecision;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fails LifecycleEvents that no claimer finishes: those of nodes without an agent, and those of
 * nodes that are gone. Run one instance per cluster.
 */
public final class UnclaimedEventController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UnclaimedEventController.class);

  private final LifecycleClusterCaches caches;
  private final LifecycleEventWriter writer;
  private final NodeTransitionReporter reporter;
  private final Duration patience;
  private final Clock clock;
  private final TimeSource time;
  private final ControlLoops<String> loops;

  /**
   * @param patience how long an event may wait to be claimed
   */
  public UnclaimedEventController(Kube kube, Duration patience) {
    this.patience = patience;
    clock = kube.clock();
    time = kube.time();
    writer = new LifecycleEventWriter(kube.http());
    reporter = new NodeTransitionReporter(kube);
    loops = kube.loops("unclaimed-events", EventReconciler::new);
    caches = new LifecycleClusterCaches(kube, loops::wake);
  }

  public void start() {
    caches.start();
  }

  /** One event, by its UID. */
  private final class EventReconciler implements ControlLoops.Reconciler {
    private final String uid;
    private final Duration seen = time.elapsed();
    private Optional<Duration> nodeMissed = Optional.empty();
    private Optional<Duration> deleted = Optional.empty();
    private Optional<Duration> first = Optional.empty();

    EventReconciler(String uid) {
      this.uid = uid;
    }

    @Override
    public Optional<Instant> step() {
      return caches.events().stream()
          .filter(event -> event.uid().equals(uid))
          .findFirst()
          .map(this::step);
    }

    private Instant step(LifecycleEventObject event) {
      Duration now = time.elapsed();
      Optional<Boolean> exists = caches.nodes().map(names -> names.contains(event.node()));
      if (exists.isPresent()) {
        nodeMissed = exists.get() ? Optional.empty() : nodeMissed.or(() -> Optional.of(now));
      }
      if (event.facts().deleting() && deleted.isEmpty()) {
        deleted = Optional.of(now);
      }
      first = isBehindAnother(event) ? Optional.empty() : first.or(() -> Optional.of(now));
      UnclaimedEventDecision.Seen observed =
          new UnclaimedEventDecision.Seen(
              now.minus(seen),
              now.minus(nodeMissed.orElse(now)),
              now.minus(deleted.orElse(now)),
              first.map(now::minus));
      return switch (UnclaimedEventDecision.decide(
          event.facts(), event.node(), exists, observed, patience)) {
        case UnclaimedEventDecision.Leave(Optional<Duration> left) ->
            left.map(clock.instant()::plus).orElse(Instant.MAX);
        case UnclaimedEventDecision.Fail(String why) -> {
          var _ = fail(event, why);
          yield Instant.MAX;
        }
        case UnclaimedEventDecision.Finish(String why) -> {
          writer.releaseAndDelete(fail(event, why));
          yield Instant.MAX;
        }
      };
    }
  }

  private boolean isBehindAnother(LifecycleEventObject event) {
    return caches.events().stream()
        .filter(other -> other.node().equals(event.node()) && !other.uid().equals(event.uid()))
        .anyMatch(other -> other.facts().isAtWork());
  }

  /** After a conflict the loop decides again, on what the event has become. */
  private LifecycleEventObject fail(LifecycleEventObject event, String why) {
    if (event.facts().claim().isTerminal()) {
      return event;
    }
    LifecycleEventObject failed = writer.endUnattended(event, ClaimStatus.Failed, why);
    LOG.warn("LifecycleEvent {}: Failed: {}", event.facts().ref(), why);
    reporter.record(
        event.node(),
        Optional.empty(),
        NodeTransitionReporter.Reason.LifecycleEventFailed,
        event.facts().ref() + ": " + why);
    return failed;
  }

  @Override
  public void close() {
    loops.close();
    caches.close();
  }
}
