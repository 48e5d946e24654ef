package dev.drydock.health.quarantine;

import dev.drydock.health.decide.Breaker;
import dev.drydock.health.decide.Breaker.Answer;
import dev.drydock.health.decide.Breaker.Candidate;
import dev.drydock.health.decide.Breaker.Fleet;
import dev.drydock.health.decide.BreakerLimits;
import dev.drydock.health.decide.BreakerScope;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Latest;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The breakers of a process, with their state in the ConfigMap. A trip is written before anything
 * is blocked by it, and a reset counts as soon as the watch shows it. Thread-safe.
 */
final class BreakerSwitch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BreakerSwitch.class);

  private final Kube kube;
  private final String namespace;
  private final Runnable changed;
  private final Watch<BreakerConfigMap> watch;
  private final Latest<BreakerConfigMap> latest = new Latest<>();

  /** Trips that this process has decided on and not yet written. */
  private final SortedMap<BreakerScope, Instant> unwritten = new TreeMap<>();

  private Breaker breaker;

  /** The oldest event that was blocked since blocked ones began to be looked at again. */
  private Optional<Instant> blockedAnew = Optional.empty();

  /**
   * @param changed runs when the ConfigMap was changed
   */
  BreakerSwitch(Kube kube, String namespace, BreakerLimits limits, Runnable changed) {
    this.kube = kube;
    this.namespace = namespace;
    this.changed = changed;
    breaker = Breaker.closed(limits);
    watch =
        kube.watches()
            .of(
                Watch.Kind.of(
                    Resource.CONFIG_MAPS.named(namespace, BreakerConfigMap.NAME),
                    BreakerConfigMap::read),
                Watch.Listener.waking(this::look));
  }

  void start() {
    watch.start();
  }

  /** Whether its state is known; until then nothing is admitted. */
  synchronized boolean isKnown() {
    return watch.isListed() && present().isPresent();
  }

  /** Creates the ConfigMap if there is none, so that a trip is a change of what the watch shows. */
  void prepare() {
    if (watch.isListed() && watch.state().items().isEmpty()) {
      var _ = BreakerConfigMap.findOrCreate(kube.http(), namespace);
    }
  }

  private void look() {
    synchronized (this) {
      present().ifPresent(this::take);
    }
    changed.run();
  }

  /** What is not written yet counts, too. */
  private void take(BreakerConfigMap map) {
    SortedMap<BreakerScope, Instant> tripped = new TreeMap<>(unwritten);
    tripped.putAll(map.allTripped());
    breaker = breaker.withTripped(tripped);
  }

  private Optional<BreakerConfigMap> present() {
    return latest.of(watch.state().items()).stream().findFirst();
  }

  /** A quarantine that a Node tells of: it counts as if this process had admitted it. */
  synchronized void recall(Candidate candidate, Instant since) {
    breaker = breaker.recalled(candidate, since);
  }

  Answer admit(Candidate candidate, Fleet fleet, Instant now) {
    Answer answer;
    synchronized (this) {
      answer = breaker.admit(candidate, fleet, now);
      switch (answer) {
        case Answer.Admit(Breaker after) -> breaker = after;
        case Answer.Trip trip -> {
          breaker = trip.after();
          unwritten.put(trip.scope(), now);
        }
        case Answer.Slow _, Answer.Blocked _ -> {}
      }
    }
    if (answer instanceof Answer.Trip trip) {
      LOG.warn(
          "breaker {} trips: {} of at most {} nodes were quarantined within {}; no further node is"
              + " quarantined there until: drydock breaker reset",
          trip.scope(),
          trip.recent(),
          trip.threshold(),
          breaker().limits().duration());
    }
    writeTrips();
    return answer;
  }

  /** Writes all trips, also those that an earlier attempt could not write. */
  private void writeTrips() {
    SortedMap<BreakerScope, Instant> trips;
    synchronized (this) {
      trips = new TreeMap<>(unwritten);
    }
    trips.forEach(
        (scope, since) -> {
          write(map -> map.trip(kube.http(), scope, since));
          synchronized (this) {
            unwritten.remove(scope, since);
          }
        });
  }

  /** Written before a blocked event counts as done, so that no restart forgets it. */
  void blocked(Instant created) {
    synchronized (this) {
      blockedAnew = Optional.of(blockedAnew.filter(created::isAfter).orElse(created));
    }
    boolean known = blockedSince().filter(since -> !since.isAfter(created)).isPresent();
    if (!known) {
      write(
          map ->
              map.blocked(
                  kube.http(), map.blockedSince().filter(created::isAfter).orElse(created)));
    }
  }

  /** Since when events were blocked that may not be blocked any more. */
  synchronized Optional<Instant> blockedSince() {
    return present().flatMap(BreakerConfigMap::blockedSince);
  }

  /** Whether blocked events are to be left out. */
  synchronized boolean leavesOut() {
    return present().filter(BreakerConfigMap::create).isPresent();
  }

  /** The events that were blocked are about to be looked at again. */
  synchronized void resuming() {
    blockedAnew = Optional.empty();
  }

  /** They were looked at again; those that were blocked anew still wait. */
  void resumed() {
    if (blockedAnew().isEmpty()) {
      write(map -> map.resumed(kube.http()));
      blockedAnew().ifPresent(this::blocked); // by a loop that took it for known
    }
  }

  /** The events that were blocked are not looked at again. */
  void leaveOut() {
    resuming();
    resumed();
  }

  private synchronized Optional<Instant> blockedAnew() {
    return blockedAnew;
  }

  /** Never under the lock that the watch takes: its thread may bring the answer, too. */
  private void write(Function<BreakerConfigMap, Optional<BreakerConfigMap>> change) {
    BreakerConfigMap written =
        Patch.retrying(
            "ConfigMap " + BreakerConfigMap.NAME,
            () -> change.apply(BreakerConfigMap.findOrCreate(kube.http(), namespace)));
    synchronized (this) {
      var _ = latest.wrote(written);
    }
  }

  synchronized Breaker breaker() {
    return breaker;
  }

  @Override
  public void close() {
    watch.close();
  }
}
