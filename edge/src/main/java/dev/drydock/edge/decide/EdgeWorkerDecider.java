package dev.drydock.edge.decide;

import dev.drydock.edge.decide.EdgeDrain.Ending;
import dev.drydock.edge.decide.EdgeDrain.Phase;
import dev.drydock.edge.decide.EdgeStep.Become;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides what the worker of a drain does next, from the first look at the API server to the end of
 * the last attempt. Pure.
 */
final class EdgeWorkerDecider {
  private static final String STEP = EdgeDecider.STEP;

  private final EdgeDrain drain;
  private final EdgeInput in;
  private final Instant now;

  EdgeWorkerDecider(EdgeDrain drain, EdgeInput in, Instant now) {
    this.drain = drain;
    this.in = in;
    this.now = now;
  }

  /** One question at a time, and not before it is due. */
  static EdgeStep ask(EdgeDrain drain, EdgeInput in, Instant now, ApiAction action) {
    if (in.asking()) {
      return EdgeStep.Wait.FOR_CHANGE;
    }
    boolean early = now.isBefore(drain.again());
    return early ? new EdgeStep.Wait(drain.again()) : new EdgeStep.Ask(action);
  }

  private EdgeStep ask(ApiAction action) {
    return ask(drain, in, now, action);
  }

  /** A turn that has become ours is used at once. */
  private EdgeStep askToCordon() {
    return in.turnTaken() && !in.asking()
        ? new EdgeStep.Ask(ApiAction.CORDON)
        : ask(ApiAction.CORDON);
  }

  EdgeStep next() {
    return switch (drain.phase()) {
      case IDLE, ENDED -> EdgeStep.Wait.FOR_CHANGE;
      case ACCEPTED ->
          Become.of(
              drain.phase(NodeDrainState.STARTING, Phase.PROBING, now),
              STEP + "drain-starting cordonAndDrainNode");
      case PROBING -> probe();
      case CORDONING -> cordon();
      case DETECTING -> detect();
      case DRAINING -> drain();
      case ATTEMPT_FAILED -> attemptFailed();
      case PAUSING ->
          now.isBefore(drain.again()) ? new EdgeStep.Wait(drain.again()) : attempt(drain.state());
    };
  }

  private EdgeStep probe() {
    return switch (in.result().orElse(null)) {
      case ApiResult.Answered _ -> cordoning();
      case ApiResult.Failed failed when failed.action() == ApiAction.PROBE -> probed(failed);
      case null, default -> ask(ApiAction.PROBE);
    };
  }

  private EdgeStep probed(ApiResult.Failed failed) {
    if (!failed.isUnreachable()) {
      return cordoning(); // an answer, if not a good one
    }
    Instant skipped = drain.since().plus(drain.settings().skipTimeout());
    return now.isBefore(skipped)
        ? Become.of(
            drain.again(
                now.plus(EdgeSettings.BETWEEN_TRIES),
                "the API server is unreachable: %s; the drain is skipped at %s"
                    .formatted(failed.message(), skipped)))
        : Become.of(
            drain.complete(Ending.API_UNREACHABLE, now),
            STEP + "drain-complete skipped, the API server is unreachable: " + failed.message());
  }

  /** The tries at cordoning are counted once, however often the API server goes and comes. */
  private EdgeStep cordoning() {
    return Become.of(drain.phase(NodeDrainState.STARTING, Phase.CORDONING, now));
  }

  private EdgeStep cordon() {
    return switch (in.result().orElse(null)) {
      case ApiResult.Cordoned(Instant heldSince) ->
          Become.of(
              drain
                  .phase(NodeDrainState.CORDONED, Phase.DETECTING, now)
                  .tries(0)
                  .held(Optional.of(heldSince)),
              STEP + "drain-cordon-complete cordonNode");
      case ApiResult.NotOurTurn(String why) ->
          Become.of(drain.again(now.plus(EdgeSettings.BETWEEN_TRIES), why));
      case ApiResult.Failed failed when failed.action() == ApiAction.CORDON -> cordonFailed(failed);
      case null, default -> askToCordon();
    };
  }

  private EdgeStep cordonFailed(ApiResult.Failed failed) {
    if (failed.isUnreachable()) {
      return Become.of(drain.phase(NodeDrainState.STARTING, Phase.PROBING, now));
    }
    int tries = drain.tries() + 1;
    return tries < EdgeSettings.CORDON_TRIES
        ? Become.of(
            drain.tries(tries).again(now.plus(EdgeSettings.BETWEEN_TRIES), failed.message()))
        : Become.of(
            drain
                .tries(tries)
                .failed(NodeDrainState.FAILEDCORDON, failed.message(), now)
                .releasing(!in.keepsCordon() && drain.mayBeHeld()),
            STEP + "drain-cordon-failure cordonNode: " + failed.message());
  }

  private EdgeStep detect() {
    return switch (in.result().orElse(null)) {
      case ApiResult.Peers peers -> detected(peers);
      // without an answer the other nodes count as schedulable
      case ApiResult.Failed failed when failed.action() == ApiAction.CHECK_PEERS -> peerFound();
      case null, default -> ask(ApiAction.CHECK_PEERS);
    };
  }

  private EdgeStep detected(ApiResult.Peers peers) {
    if (peers.nodes().hasSchedulablePeer()) {
      return peerFound();
    }
    Instant end = drain.since().plus(drain.settings().detectionWindow());
    if (in.turns() && now.isBefore(end)) {
      return Become.of(
          drain.again(
              earlier(now.plus(EdgeSettings.BETWEEN_TRIES), end),
              "no other node is schedulable; looks until " + end));
    }
    Optional<String> kept = peers.storage().keeps(peers.nodes().own());
    return kept.isPresent()
        ? attempt(NodeDrainState.CORDONED)
        : Become.of(
            drain.complete(Ending.NO_PEER, now),
            STEP + "drain-skip-no-schedulable-nodes",
            STEP + "drain-complete");
  }

  /**
   * Nodes that go one at a time need not wait for others that may be cordoned at the same moment;
   * without turns the whole window is waited, as in the original.
   */
  private EdgeStep peerFound() {
    Instant end = drain.since().plus(drain.settings().detectionWindow());
    return in.turns() || !now.isBefore(end)
        ? attempt(NodeDrainState.CORDONED)
        : Become.of(
            drain.again(
                earlier(now.plus(EdgeSettings.BETWEEN_TRIES), end),
                "looks until %s whether all nodes are drained at once".formatted(end)));
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  private EdgeStep attempt(NodeDrainState state) {
    int number = drain.tries() + 1;
    return Become.of(
        drain.phase(state, Phase.DRAINING, now).tries(number),
        STEP + "drain-attempt try:" + number);
  }

  private EdgeStep drain() {
    if (in.run().isEmpty()) {
      Instant end = drain.since().plus(drain.settings().drainTimeout());
      return new EdgeStep.StartAttempt(
          drain.tries(), Duration.between(drain.heldSince().orElse(drain.since()), end));
    }
    return switch (in.run().get()) {
      case EdgeInput.AttemptView.Running _ -> EdgeStep.Wait.FOR_CHANGE;
      case EdgeInput.AttemptView.Done _ ->
          in.faultInjected()
              ? new EdgeStep.Wait(now.plus(EdgeSettings.FAULT_INJECTION_WAIT))
              : Become.of(drain.complete(Ending.DRAINED, now), STEP + "drain-complete");
      case EdgeInput.AttemptView.Failed(String why) ->
          Become.of(
              drain.phase(drain.state(), Phase.ATTEMPT_FAILED, now).saying(why),
              "%sdrain-failure try:%d: %s".formatted(STEP, drain.tries(), why));
      // a person wins: the node is not cordoned again by itself
      case EdgeInput.AttemptView.CalledOff(String why) -> givenUp(why);
    };
  }

  private EdgeStep givenUp(String why) {
    return Become.of(
        drain
            .failed(NodeDrainState.FAILEDDRAIN, why, now)
            .releasing(!in.keepsCordon() && drain.heldSince().isPresent()),
        STEP + "drain-failure-givingup: " + why);
  }

  private EdgeStep attemptFailed() {
    return switch (in.result().orElse(null)) {
      case ApiResult.Peers(ClusterNodes nodes, StorageView storage)
          when !nodes.hasSchedulablePeer() && storage.keeps(nodes.own()).isEmpty() ->
          Become.of(
              drain.complete(Ending.NO_PEER_AFTER_FAILURE, now),
              STEP + "drain-skip-no-schedulable-nodes",
              STEP + "drain-complete");
      case ApiResult.Peers _ -> retry();
      case ApiResult.Failed failed when failed.action() == ApiAction.CHECK_PEERS -> retry();
      case null, default -> ask(ApiAction.CHECK_PEERS);
    };
  }

  private EdgeStep retry() {
    return drain.tries() < EdgeSettings.DRAIN_ATTEMPTS
        ? Become.of(
            drain
                .phase(NodeDrainState.DRAINRETRYING, Phase.PAUSING, now)
                .again(now.plus(EdgeSettings.BETWEEN_ATTEMPTS), drain.message()))
        : givenUp(drain.message());
  }
}
