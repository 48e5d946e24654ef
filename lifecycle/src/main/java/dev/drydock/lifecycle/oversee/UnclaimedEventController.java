package dev.drydock.lifecycle.oversee;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.WakeUp;
import dev.drydock.lifecycle.api.LifecycleClusterCaches;
import dev.drydock.lifecycle.api.LifecycleEventObject;
import dev.drydock.lifecycle.api.LifecycleEventWriter;
import dev.drydock.lifecycle.api.NodeTransitionReporter;
import dev.drydock.lifecycle.decide.UnclaimedEvents;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after LifecycleEvents that no claimer sees through: those of nodes that nobody serves, and
 * those of nodes that are gone. One process of a cluster should at a time.
 */
public final class UnclaimedEventController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UnclaimedEventController.class);
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private final LifecycleClusterCaches caches;
  private final LifecycleEventWriter writer;
  private final NodeTransitionReporter reporter;
  private final Duration patience;
  private final Clock clock;
  private final WakeUp bell = new WakeUp();
  private final Map<String, Instant> nodesMissed = new HashMap<>();
  private volatile boolean closed;

  /**
   * @param patience how long an event may wait to be claimed
   */
  public UnclaimedEventController(KubeHttp http, Clock clock, Duration patience) {
    this.patience = patience;
    this.clock = clock;
    writer = new LifecycleEventWriter(http);
    reporter = new NodeTransitionReporter(http, clock);
    caches = new LifecycleClusterCaches(http, bell::ring);
  }

  public void start() {
    caches.start();
    Thread.ofVirtual().name("unclaimed lifecycle events").start(this::run);
  }

  private void run() {
    int failures = 0;
    try {
      while (!closed) {
        Duration wait;
        try {
          wait = look();
          failures = 0;
        } catch (ApiFailure later) {
          wait = Backoff.USUAL.after(++failures);
          if (later.code() != HttpURLConnection.HTTP_CONFLICT) {
            LOG.warn("{}; tried again", later.getMessage());
          }
        }
        bell.await(wait);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** How long to wait if nothing happens. */
  private Duration look() {
    Instant now = clock.instant();
    Instant next = now.plus(LONGEST_WAIT);
    Optional<Set<String>> nodes = caches.nodes();
    nodes.ifPresent(nodesMissed.keySet()::removeAll);
    for (LifecycleEventObject event : caches.events()) {
      Optional<Boolean> exists = nodes.map(names -> names.contains(event.node()));
      if (exists.isPresent() && !exists.get()) {
        nodesMissed.putIfAbsent(event.node(), now);
      }
      UnclaimedEvents what =
          UnclaimedEvents.decide(
              event.facts(),
              event.node(),
              exists,
              Optional.ofNullable(nodesMissed.get(event.node())),
              patience,
              now);
      switch (what) {
        case UnclaimedEvents.Leave(Optional<Instant> until) ->
            next = until.filter(next::isAfter).orElse(next);
        case UnclaimedEvents.Fail(String why) -> fail(event, why);
        case UnclaimedEvents.Finish(String why) -> writer.letGo(fail(event, why));
      }
    }
    return now.isBefore(next) ? Duration.between(now, next) : Duration.ZERO;
  }

  private LifecycleEventObject fail(LifecycleEventObject event, String why) {
    if (event.facts().claim().isTerminal()) {
      return event;
    }
    LifecycleEventObject failed = writer.end(event, ClaimStatus.Failed, why);
    LOG.warn("LifecycleEvent {}: Failed: {}", event.facts().ref(), why);
    reporter.tell(
        event.node(),
        Optional.empty(),
        NodeTransitionReporter.Reason.LifecycleEventFailed,
        event.facts().ref() + ": " + why);
    return failed;
  }

  @Override
  public void close() {
    closed = true;
    caches.close();
    bell.ring();
  }
}
