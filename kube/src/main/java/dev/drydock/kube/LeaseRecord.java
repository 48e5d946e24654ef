package dev.drydock.kube;

import java.time.Duration;

/**
 * Who holds a Lease, according to its spec. Its times are for people: they come from the clocks of
 * other machines.
 *
 * @param holder empty if nobody holds it
 * @param lasts how long its holder asks others to wait; zero if it does not say
 * @param transitions how often it changed hands
 */
record LeaseRecord(String holder, Duration lasts, int transitions) {
  /** Others are not kept waiting for longer than this many times the usual, whatever it says. */
  private static final int MOST_TIMES_LONGER = 4;

  static LeaseRecord of(ApiObject lease) {
    return new LeaseRecord(
        Fields.text(lease.spec(), "holderIdentity"),
        Duration.ofSeconds(Math.max(0, lease.spec().path("leaseDurationSeconds").asInt(0))),
        lease.spec().path("leaseTransitions").asInt(0));
  }

  boolean isHeldBy(String candidate) {
    return holder.equals(candidate);
  }

  /**
   * Whether a candidate may take it.
   *
   * @param unchangedFor how long the candidate has seen no change of it, by its own timer
   * @param usual how long a Lease lasts
   */
  boolean isFreeFor(String candidate, Duration unchangedFor, Duration usual) {
    return holder.isEmpty()
        || isHeldBy(candidate)
        || unchangedFor.compareTo(
                longer(usual, shorter(lasts, usual.multipliedBy(MOST_TIMES_LONGER))))
            >= 0;
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  /** Starts over before it overflows, whatever somebody wrote: the server refuses less than 0. */
  int nextTransition() {
    return transitions == Integer.MAX_VALUE ? 1 : transitions + 1;
  }
}
