package dev.drydock.drain.stop;

import static dev.drydock.kube.Fields.text;

import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The processes that have to see a stop, found by their Leases in all namespaces. */
public final class StopWitnesses {
  /** The Lease of an operator, in its own namespace. */
  public static final String OPERATOR_LEASE = "drydock-operator";

  /** The Lease of an operator that runs without leader election begins with this. */
  static final String UNELECTED_LEASE = OPERATOR_LEASE + "-";

  /** The Lease of a node's agent begins with this. */
  public static final String AGENT_LEASE = "drydock-claimer-";

  /** Where agents have their Leases; a tenant may call one of its own Leases the same elsewhere. */
  public static final String AGENT_NAMESPACE = "kube-node-lease";

  private static final int GONE_AFTER = 4;

  /** Clocks do not differ by that much, and nobody restarts after so long a time. */
  private static final int LONG_GONE_AFTER = 240;

  private StopWitnesses() {}

  /**
   * What is known of them.
   *
   * @param seen how many have seen the stop
   * @param missing those that have not, one line each
   * @param gone those that have not, and have not renewed their Lease for long either
   * @param unknown why nobody can say, if so
   */
  public record Answer(
      int seen, List<String> missing, List<String> gone, Optional<String> unknown) {
    static Answer unknown(String why) {
      return new Answer(0, List.of(), List.of(), Optional.of(why));
    }
  }

  /** Waits until all have seen that version of the cord, at most this long. */
  public static Answer await(Kube kube, String namespace, String version, Duration most) {
    CompletableFuture<Answer> all = new CompletableFuture<>();
    Leases leases = new Leases(kube, namespace, version, all);
    leases.watch.start();
    try {
      return all.completeOnTimeout(Answer.unknown(""), most.toMillis(), TimeUnit.MILLISECONDS)
          .thenApply(answer -> answer.unknown().isEmpty() ? answer : leases.look())
          .join();
    } finally {
      leases.watch.close();
    }
  }

  /** Who of the holders of these Leases has seen that version of the cord, and who has not. */
  static Answer judge(Collection<ApiObject> leases, String namespace, String version, Instant now) {
    List<ApiObject> held =
        leases.stream()
            .filter(StopWitnesses::isOurs)
            .filter(lease -> !text(lease.spec(), "holderIdentity").isEmpty())
            .toList();
    Map<Boolean, List<String>> missing =
        held.stream()
            .filter(lease -> !hasSeen(lease, version))
            .collect(
                Collectors.partitioningBy(
                    lease -> isGone(lease, now),
                    Collectors.mapping(
                        lease -> line(lease, namespace),
                        Collectors.collectingAndThen(
                            Collectors.toList(), lines -> lines.stream().sorted().toList()))));
    List<String> alive = missing.getOrDefault(false, List.of());
    List<String> gone = missing.getOrDefault(true, List.of());
    return new Answer(held.size() - alive.size() - gone.size(), alive, gone, Optional.empty());
  }

  /** A hint only, as it compares two clocks; a Lease without times is never gone. */
  private static boolean isGone(ApiObject lease, Instant now) {
    return isOlder(lease, GONE_AFTER, now);
  }

  /** Whether nobody will ever renew it. */
  static boolean isLongGone(ApiObject lease, Instant now) {
    return isOlder(lease, LONG_GONE_AFTER, now);
  }

  /** Whether it was not renewed for this many times as long as it lasts. */
  private static boolean isOlder(ApiObject lease, int times, Instant now) {
    String renewed = text(lease.spec(), "renewTime");
    long lasts = lease.spec().path("leaseDurationSeconds").asLong(0);
    if (renewed.isEmpty() || lasts <= 0) {
      return false;
    }
    try {
      return now.isAfter(OffsetDateTime.parse(renewed).toInstant().plusSeconds(times * lasts));
    } catch (DateTimeException unreadable) {
      return false;
    }
  }

  private static boolean isOurs(ApiObject lease) {
    boolean agents =
        lease.namespace().equals(AGENT_NAMESPACE) && lease.name().startsWith(AGENT_LEASE);
    return agents || isOperators(lease);
  }

  private static boolean isOperators(ApiObject lease) {
    return lease.name().equals(OPERATOR_LEASE) || lease.name().startsWith(UNELECTED_LEASE);
  }

  private static boolean hasSeen(ApiObject lease, String version) {
    return version.equals(lease.annotations().get(StopAcknowledgement.SEEN));
  }

  private static String line(ApiObject lease, String namespace) {
    boolean operator = isOperators(lease);
    String who =
        "%s %s (Lease %s, last renewed %s)"
            .formatted(
                operator ? "operator" : "agent",
                text(lease.spec(), "holderIdentity"),
                lease,
                lease.spec().hasNonNull("renewTime")
                    ? text(lease.spec(), "renewTime")
                    : "at an unknown time");
    return operator && !lease.namespace().equals(namespace)
        ? who + ": stop it with --operator-namespace " + lease.namespace()
        : who;
  }

  private static final class Leases {
    private final String namespace;
    private final String version;
    private final CompletableFuture<Answer> all;
    private final Clock clock;
    private final Watch<ApiObject> watch;

    Leases(Kube kube, String namespace, String version, CompletableFuture<Answer> all) {
      this.namespace = namespace;
      this.version = version;
      this.all = all;
      clock = kube.clock();
      watch =
          kube.watches()
              .of(
                  Watch.Kind.of(Resource.LEASES.all(), ApiObject::of),
                  Watch.Listener.waking(this::lookAgain));
    }

    Answer look() {
      Watch.State<ApiObject> state = watch.state();
      return state
          .unsynced()
          .map(Answer::unknown)
          .orElseGet(() -> judge(state.items(), namespace, version, clock.instant()));
    }

    private void lookAgain() {
      Answer now = look();
      boolean forbidden = watch.state().forbidden();
      if (forbidden || (now.unknown().isEmpty() && now.missing().isEmpty())) {
        all.complete(now);
      }
    }
  }
}
