package dev.drydock.edge.decide;

import dev.drydock.edge.decide.EdgeDrain.Ending;
import dev.drydock.edge.decide.EdgeDrain.Phase;
import dev.drydock.edge.decide.EdgeStep.Become;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Decides what a drain at the edge does next. Pure. */
public final class EdgeDecider {
  /** What operators search the log for; part of the API. */
  public static final String STEP = "nodedrain-step:";

  static final String NOTICE =
      "Beginning kubernetes node drain process this could be a very long operation depending on"
          + " replica rebuilds (24hours+)";

  private final EdgeDrain drain;
  private final EdgeInput in;
  private final Instant now;

  private EdgeDecider(EdgeDrain drain, EdgeInput in, Instant now) {
    this.drain = drain;
    this.in = in;
    this.now = now;
  }

  public static EdgeStep decide(EdgeDrain drain, EdgeInput in, Instant now) {
    return new EdgeDecider(drain, in, now).next();
  }

  private EdgeStep next() {
    return cancelled()
        .or(this::membership)
        .or(this::forced)
        .or(this::requests)
        .or(this::release)
        .orElseGet(this::proceed);
  }

  /** A person wants the node back: nothing is left over from the drain. */
  private Optional<EdgeStep> cancelled() {
    return in.cancelled()
        ? Optional.of(
            stopped(
                Become.of(
                        drain
                            .idle(supported(drain.disabled()), in.requests(), now)
                            .disabled(drain.disabled())
                            .releasing(drain.mayBeHeld()),
                        STEP + "drain-cancelled")
                    .takingCancel()))
        : Optional.empty();
  }

  private NodeDrainState supported(boolean disabled) {
    return disabled || !in.clustered().orElse(false)
        ? NodeDrainState.NOTSUPPORTED
        : NodeDrainState.NOTREQUESTED;
  }

  /** The change itself, once no attempt is running. */
  private EdgeStep stopped(Become change) {
    return in.isRunning() ? new EdgeStep.CancelAttempt() : change;
  }

  private Optional<EdgeStep> membership() {
    if (in.clustered().isEmpty()) {
      return Optional.empty();
    }
    boolean clustered = in.clustered().get();
    if (!clustered && drain.state() != NodeDrainState.NOTSUPPORTED) {
      return Optional.of(
          stopped(
              Become.of(
                  drain
                      .idle(NodeDrainState.NOTSUPPORTED, in.requests(), now)
                      .releasing(drain.mayBeHeld()),
                  STEP + "drain-request-handle not clustered, drains are not supported")));
    }
    if (!clustered && !drain.served().equals(in.requests())) {
      return Optional.of(
          Become.of(
              drain.serving(in.requests()),
              STEP + "drain-request-handle NodeDrainRequest dropped: this node is not clustered"));
    }
    boolean starts =
        clustered && drain.state() == NodeDrainState.NOTSUPPORTED && in.force().isEmpty();
    if (starts && !drain.disabled()) {
      // requests that came before the node was known to be in a cluster are served
      return Optional.of(Become.of(drain.idle(NodeDrainState.NOTREQUESTED, Map.of(), now)));
    }
    return Optional.empty();
  }

  private Optional<EdgeStep> forced() {
    if (in.force().isEmpty()) {
      return drain.disabled()
          ? Optional.of(Become.of(drain.idle(supported(false), in.requests(), now)))
          : Optional.empty();
    }
    ForcedStatus force = in.force().get();
    return force.disables() ? disable() : complete(force);
  }

  /** The hold stays for an operation that goes now: the boot after it lifts it. */
  private Optional<EdgeStep> disable() {
    return drain.disabled()
        ? Optional.empty()
        : Optional.of(
            stopped(
                Become.of(
                    drain
                        .idle(NodeDrainState.NOTSUPPORTED, in.requests(), now)
                        .disabled(true)
                        .releasing(drain.mayBeHeld() && !in.operationDeferred()),
                    STEP + "forced: drains are switched off")));
  }

  private Optional<EdgeStep> complete(ForcedStatus force) {
    if (in.clustered().filter(member -> !member).isPresent()) {
      return Optional.of(Become.of(drain).takingForce());
    }
    EdgeDrain told = drain.disabled(false).releasedFor(force.addressed());
    // whoever was not addressed still needs the drain, and so does whoever comes later
    boolean over = !in.requests().isEmpty() && told.released().containsAll(in.requests().keySet());
    String line = STEP + "forced: complete for " + force.addressed().stream().sorted().toList();
    return Optional.of(
        over
            ? stopped(
                Become.of(told.serving(in.requests()).complete(Ending.FORCED, now), line)
                    .takingForce())
            : Become.of(told, line).takingForce());
  }

  private Optional<EdgeStep> requests() {
    if (drain.disabled() || !in.clustered().orElse(drain.isActive())) {
      return Optional.empty();
    }
    boolean fresh =
        in.requests().entrySet().stream()
            .anyMatch(entry -> !entry.getValue().equals(drain.served().get(entry.getKey())));
    if (drain.isActive()) {
      return active(fresh);
    }
    boolean begins =
        drain.state() == NodeDrainState.NOTREQUESTED
            || drain.state().isFailed()
            || isForcedForOthers();
    if (fresh && begins) {
      return Optional.of(
          Become.of(
              drain.accepted(in.requests(), in.settings(), now),
              STEP + "drain-request-handle NodeDrainRequest " + describe(),
              NOTICE));
    }
    // complete: whoever comes later is told so
    return fresh && drain.state() == NodeDrainState.COMPLETE
        ? Optional.of(Become.of(drain.serving(in.requests())))
        : Optional.empty();
  }

  /** What was forced for one requester is no drain for another. */
  private boolean isForcedForOthers() {
    return drain.ending().filter(Ending.FORCED::equals).isPresent()
        && !drain.released().containsAll(in.requests().keySet());
  }

  private String describe() {
    List<String> each = new ArrayList<>();
    new TreeMap<>(in.requests())
        .forEach(
            (by, request) -> each.add("requester:%s context:%s".formatted(by, request.context())));
    return String.join(" ", each);
  }

  /** Later requests join the drain; without any it ends. */
  private Optional<EdgeStep> active(boolean fresh) {
    if (in.requests().isEmpty()) {
      return Optional.of(
          stopped(
              Become.of(
                  drain
                      .idle(NodeDrainState.NOTREQUESTED, Map.of(), now)
                      .releasing(drain.mayBeHeld()),
                  STEP + "drain-request-handle NodeDrainRequest withdrawn")));
    }
    if (!fresh && in.requests().keySet().equals(drain.served().keySet())) {
      return Optional.empty();
    }
    return Optional.of(
        Become.of(
            drain.serving(in.requests()), STEP + "drain-request-handle joined " + describe()));
  }

  /** Nobody needs the hold any more. */
  private Optional<EdgeStep> release() {
    if (!drain.toRelease()) {
      return Optional.empty();
    }
    return Optional.of(
        switch (in.result().orElse(null)) {
          case ApiResult.Released _ ->
              Become.of(drain.releasing(false).held(Optional.empty()), STEP + "uncordoned");
          case ApiResult.Failed(ApiAction action, int _, String why)
              when action == ApiAction.RELEASE ->
              Become.of(drain.again(now.plus(EdgeSettings.BETWEEN_TRIES), why));
          case null, default -> ask(ApiAction.RELEASE);
        });
  }

  /** One question at a time, and not before it is due. */
  private EdgeStep ask(ApiAction action) {
    return ask(action, false);
  }

  private EdgeStep ask(ApiAction action, boolean dueNow) {
    if (in.asking()) {
      return EdgeStep.Wait.FOR_CHANGE;
    }
    return !dueNow && now.isBefore(drain.again())
        ? new EdgeStep.Wait(drain.again())
        : new EdgeStep.Ask(action);
  }

  private EdgeStep proceed() {
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
      case null, default -> ask(ApiAction.CORDON, in.turnTaken());
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
