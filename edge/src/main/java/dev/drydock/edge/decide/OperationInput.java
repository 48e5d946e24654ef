package dev.drydock.edge.decide;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What the decision about an operation depends on.
 *
 * @param state of the drain, for its requester
 * @param addressed whether the drain is, or was, for its requester
 * @param unknownFor how long the state has been unknown
 * @param patience how long to wait while the state is unknown
 * @param needsCheck whether the node is looked at once more before the operation: not if a person
 *     forced it, or the API server has been unreachable all the time
 * @param check the last look at the cluster, if there was one
 * @param running whether this process runs its command now
 * @param otherStarted whether another operation on the machine has begun
 * @param bootId of this boot
 */
public record OperationInput(
    NodeDrainState state,
    boolean addressed,
    Duration unknownFor,
    Duration patience,
    boolean needsCheck,
    Optional<LastCheck> check,
    boolean running,
    boolean otherStarted,
    String bootId,
    Instant now) {

  /**
   * A look at the cluster just before the operation.
   *
   * @param blocked why the machine may not go now; empty if it may
   * @param unreachableSince since when the API server has not answered, if it did not
   */
  public record LastCheck(
      Instant at, Optional<String> blocked, Optional<Instant> unreachableSince) {
    /** How long a look counts: what it saw changes. */
    public static final Duration FRESH = Duration.ofSeconds(5);

    public static final Duration BETWEEN = Duration.ofSeconds(15);

    /** From what was read at the end. */
    public static LastCheck of(Instant at, ClusterNodes nodes, StorageView storage) {
      return new LastCheck(
          at,
          uncordoned(nodes)
              .or(() -> storage.keeps(nodes.own()))
              .or(nodes::quorumWaitsFor)
              .or(() -> driverMissing(nodes)),
          Optional.empty());
    }

    /**
     * From a look that failed: a refusal blocks, an unreachable API server does so for a time.
     *
     * @param code the HTTP code; 0 if there was no answer
     * @param since when the API server did not answer for the first time, if the last look failed
     */
    public static LastCheck ofFailure(
        Instant at, int code, String message, Optional<Instant> since) {
      return ApiReach.isUnreachable(code)
          ? new LastCheck(at, Optional.empty(), Optional.of(since.orElse(at)))
          : new LastCheck(
              at, Optional.of("the last look at the cluster failed: " + message), Optional.empty());
    }

    private static Optional<String> driverMissing(ClusterNodes nodes) {
      return nodes
          .self()
          .map(PeerNode::driverMissing)
          .filter(why -> !why.isEmpty())
          .map(
              "a reboot would leave the node without its CXI driver: %s; mend that, or force the operation"
                  ::formatted);
    }

    private static Optional<String> uncordoned(ClusterNodes nodes) {
      return nodes
          .self()
          .filter(PeerNode::schedulable)
          .map(
              _ ->
                  "the node was uncordoned after its drain; run 'drydock edge cancel', then ask again");
    }
  }
}
