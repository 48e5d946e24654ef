package dev.drydock.edge.decide;

import dev.drydock.edge.decide.EdgeDrain.Ending;
import dev.drydock.edge.decide.EdgeStep.Become;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Decides what a drain at the edge does next: first what people and requesters want of it, then
 * what its worker does. Pure.
 */
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
        .orElseGet(() -> new EdgeWorkerDecider(drain, in, now).next());
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
          case null, default -> EdgeWorkerDecider.ask(drain, in, now, ApiAction.RELEASE);
        });
  }
}
