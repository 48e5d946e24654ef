package dev.drydock.drain.stop;

import static dev.drydock.kube.Fields.text;

import dev.drydock.drain.stop.decide.StopAnswers;
import dev.drydock.drain.stop.decide.StopLease;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The processes that have to see a stop, found by their Leases in all namespaces. */
public final class StopWitnesses {
  /** The Lease of an operator, in its own namespace. */
  public static final String OPERATOR_LEASE = StopLease.OPERATOR;

  /** The Lease of a node's agent begins with this. */
  public static final String AGENT_LEASE = StopLease.AGENT;

  /** The Lease of an agent that drains its node before its machine goes down begins with this. */
  public static final String EDGE_LEASE = StopLease.EDGE_AGENT;

  /** Where agents have their Leases. */
  public static final String AGENT_NAMESPACE = StopLease.AGENT_NAMESPACE;

  private StopWitnesses() {}

  /** Waits until all have seen that version of the cord, at most this long. */
  public static StopAnswers await(Kube kube, String namespace, String version, Duration most) {
    CompletableFuture<StopAnswers> all = new CompletableFuture<>();
    Leases leases = new Leases(kube, namespace, version, all);
    leases.watch.start();
    try {
      return all.completeOnTimeout(StopAnswers.unknown(""), most.toMillis(), TimeUnit.MILLISECONDS)
          .thenApply(answer -> answer.unknown().isEmpty() ? answer : leases.look())
          .join();
    } finally {
      leases.watch.close();
    }
  }

  /** A Lease whose times cannot be read has none. */
  static StopLease read(ApiObject lease) {
    String renewed = text(lease.spec(), "renewTime");
    return new StopLease(
        lease.namespace(),
        lease.name(),
        text(lease.spec(), "holderIdentity"),
        Optional.ofNullable(lease.annotations().get(StopAcknowledgement.SEEN)),
        renewed,
        time(renewed),
        Duration.ofSeconds(lease.spec().path("leaseDurationSeconds").asLong(0)));
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException unreadable) {
      return Optional.empty();
    }
  }

  private static final class Leases {
    private final String namespace;
    private final String version;
    private final CompletableFuture<StopAnswers> all;
    private final Clock clock;
    private final Watch<StopLease> watch;

    Leases(Kube kube, String namespace, String version, CompletableFuture<StopAnswers> all) {
      this.namespace = namespace;
      this.version = version;
      this.all = all;
      clock = kube.clock();
      watch =
          kube.watches()
              .of(
                  Watch.Kind.of(Resource.LEASES.all(), object -> read(ApiObject.of(object))),
                  Watch.Listener.waking(this::lookAgain));
    }

    StopAnswers look() {
      Watch.State<StopLease> state = watch.state();
      return state
          .unsynced()
          .map(StopAnswers::unknown)
          .orElseGet(() -> StopAnswers.of(state.items(), namespace, version, clock.instant()));
    }

    private void lookAgain() {
      StopAnswers now = look();
      boolean forbidden = watch.state().forbidden();
      if (forbidden || now.isComplete()) {
        all.complete(now);
      }
    }
  }
}
