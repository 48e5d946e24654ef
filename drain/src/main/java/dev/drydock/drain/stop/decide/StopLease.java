package dev.drydock.drain.stop.decide;

import dev.drydock.contracts.cxi.CxiNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A Lease, as far as it says who has to see a stop.
 *
 * @param holder empty if nobody holds it
 * @param seen the version of the andon cord that its holder has seen
 * @param renewTime as it is written there; may be empty
 * @param renewedAt absent if that is no time
 * @param lasts zero if it does not say
 */
public record StopLease(
    String namespace,
    String name,
    String holder,
    Optional<String> seen,
    String renewTime,
    Optional<Instant> renewedAt,
    Duration lasts) {
  /** The Lease of an operator, in its own namespace. */
  public static final String OPERATOR = "drydock-operator";

  /** The Lease of an operator that runs without leader election begins with this. */
  public static final String UNELECTED_OPERATOR = OPERATOR + "-";

  /** The Lease of a node's agent begins with this. */
  public static final String AGENT = "drydock-claimer-";

  /** The Lease of an agent that drains its node before its machine goes down begins with this. */
  public static final String EDGE_AGENT = "drydock-edge-agent-";

  /** Where agents have their Leases; a tenant may call one of its own Leases the same elsewhere. */
  public static final String AGENT_NAMESPACE = "kube-node-lease";

  private static final int GONE_AFTER = 4;

  /** Clocks do not differ by that much, and nobody restarts after so long a time. */
  private static final int LONG_GONE_AFTER = 240;

  /** Whether its holder, if it has one, is an operator or an agent. */
  boolean isOurs() {
    boolean agents = name.startsWith(AGENT) || name.startsWith(EDGE_AGENT);
    return (agents && namespace.equals(AGENT_NAMESPACE)) || isOperators();
  }

  private boolean isOperators() {
    return name.equals(OPERATOR)
        || name.startsWith(UNELECTED_OPERATOR)
        || name.equals(CxiNames.OPERATOR_LEASE);
  }

  boolean isHeld() {
    return !holder.isEmpty();
  }

  boolean hasSeen(String version) {
    return seen.filter(version::equals).isPresent();
  }

  /** A hint only, as it compares two clocks; a Lease without times is never gone. */
  boolean isGone(Instant now) {
    return isOlder(GONE_AFTER, now);
  }

  /** Whether nobody will ever renew it. */
  public boolean isLongGone(Instant now) {
    return isOlder(LONG_GONE_AFTER, now);
  }

  /** Whether it was not renewed for this many times as long as it lasts. */
  private boolean isOlder(int times, Instant now) {
    return lasts.isPositive()
        && renewedAt.filter(at -> now.isAfter(at.plus(lasts.multipliedBy(times)))).isPresent();
  }

  /**
   * For people.
   *
   * @param here the namespace in which the cord was pulled
   */
  String describe(String here) {
    String who =
        "%s %s (Lease %s/%s, last renewed %s)"
            .formatted(
                isOperators() ? "operator" : "agent",
                holder,
                namespace,
                name,
                renewTime.isEmpty() ? "at an unknown time" : renewTime);
    return isOperators() && !namespace.equals(here)
        ? who + ": stop it with --operator-namespace " + namespace
        : who;
  }
}
