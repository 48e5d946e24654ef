package dev.drydock.lifecycle.oversee;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.Bell;
import dev.drydock.kube.KubeHttp;
import dev.drydock.lifecycle.api.ClusterFeed;
import dev.drydock.lifecycle.api.EventSeen;
import dev.drydock.lifecycle.api.EventWriter;
import dev.drydock.lifecycle.api.NodeReports;
import dev.drydock.lifecycle.decide.Oversight;
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
public final class Overseer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Overseer.class);
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private final ClusterFeed feed;
  private final EventWriter writer;
  private final NodeReports reports;
  private final Duration patience;
  private final Clock clock;
  private final Bell bell = new Bell();
  private final Map<String, Instant> nodesMissed = new HashMap<>();
  private volatile boolean closed;

  /**
   * @param patience how long an event may wait to be claimed
   */
  public Overseer(KubeHttp http, Clock clock, Duration patience) {
    this.patience = patience;
    this.clock = clock;
    writer = new EventWriter(http);
    reports = new NodeReports(http, clock);
    feed = new ClusterFeed(http, bell::ring);
  }

  public void start() {
    feed.start();
    Thread.ofVirtual().name("overseer of lifecycle events").start(this::run);
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
    Optional<Set<String>> nodes = feed.nodes();
    nodes.ifPresent(nodesMissed.keySet()::removeAll);
    for (EventSeen event : feed.events()) {
      Optional<Boolean> exists = nodes.map(names -> names.contains(event.node()));
      if (exists.isPresent() && !exists.get()) {
        nodesMissed.putIfAbsent(event.node(), now);
      }
      Oversight what =
          Oversight.decide(
              event.facts(),
              event.node(),
              exists,
              Optional.ofNullable(nodesMissed.get(event.node())),
              patience,
              now);
      switch (what) {
        case Oversight.Leave(Optional<Instant> until) ->
            next = until.filter(next::isAfter).orElse(next);
        case Oversight.Fail(String why) -> fail(event, why);
        case Oversight.Finish(String why) -> writer.letGo(fail(event, why));
      }
    }
    return now.isBefore(next) ? Duration.between(now, next) : Duration.ZERO;
  }

  private EventSeen fail(EventSeen event, String why) {
    if (event.facts().claim().isTerminal()) {
      return event;
    }
    EventSeen failed = writer.end(event, ClaimStatus.Failed, why);
    LOG.warn("LifecycleEvent {}: Failed: {}", event.facts().ref(), why);
    reports.tell(
        event.node(),
        Optional.empty(),
        NodeReports.Reason.LifecycleEventFailed,
        event.facts().ref() + ": " + why);
    return failed;
  }

  @Override
  public void close() {
    closed = true;
    feed.close();
    bell.ring();
  }
}
