package dev.drydock.edge.worker;

import dev.drydock.edge.decide.ClusterMembership;
import dev.drydock.edge.decide.DeferredOperation;
import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeDrain;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainRequest;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.edge.decide.OperationDecider;
import dev.drydock.edge.decide.OperationInput;
import dev.drydock.edge.decide.OperationInput.LastCheck;
import dev.drydock.edge.decide.OperationStep;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Carries out operations that somebody asked for, once the drain allows it. It asks for the drain
 * itself, unless another program has. Used by the agent's loop alone.
 */
final class OperationController {
  private final EdgeContext context;
  private final DrainController drains;
  private final EdgeApi api;
  private final OperationRunner runner;
  private final Runnable wake;
  private final Instant started;
  private final Set<EdgeOperation> running = EnumSet.noneOf(EdgeOperation.class);
  private final Queue<Runnable> heard = new ConcurrentLinkedQueue<>();
  private Optional<LastCheck> check = Optional.empty();
  private boolean checking;

  OperationController(
      EdgeContext context,
      DrainController drains,
      EdgeApi api,
      OperationRunner runner,
      Runnable wake) {
    this.context = context;
    this.drains = drains;
    this.api = api;
    this.runner = runner;
    this.wake = wake;
    started = context.kube().time().now();
  }

  /** Takes note of what has ended since. */
  void hear() {
    for (Runnable next = heard.poll(); next != null; next = heard.poll()) {
      next.run();
    }
  }

  private void tell(Runnable what) {
    heard.add(what);
    wake.run();
  }

  boolean isDeferred() {
    return context.files().operations().values().stream().anyMatch(DeferredOperation::isPending);
  }

  /** Forgets all operations, because a person has called them off. */
  void cancelAll() {
    for (DeferredOperation operation : context.files().operations().values()) {
      context.journal().line("operation %s was called off".formatted(operation.context()));
      context.files().remove(operation.operation());
    }
    withdrawUnneeded(Set.of());
  }

  Instant proceed(ClusterMembership membership) {
    Map<EdgeOperation, DeferredOperation> all = context.files().operations();
    Instant next = Instant.MAX;
    Set<DrainRequester> needed = EnumSet.noneOf(DrainRequester.class);
    for (DeferredOperation operation : all.values()) {
      OperationStep step =
          OperationDecider.decide(
              operation,
              input(operation, all, membership),
              drains.drain().settings().skipTimeout());
      Instant until = perform(operation, step);
      next = until.isBefore(next) ? until : next;
      if (needsRequest(step)) {
        needed.add(operation.operation().requester());
      }
    }
    withdrawUnneeded(needed);
    return next;
  }

  /** A request stays until the boot, or until its drain has failed or was called off. */
  private static boolean needsRequest(OperationStep step) {
    return switch (step) {
      case OperationStep.Drop _, OperationStep.Keep _ -> false;
      case OperationStep.Defer _,
          OperationStep.Check _,
          OperationStep.Run _,
          OperationStep.Interrupted _,
          OperationStep.Wait _ ->
          true;
    };
  }

  private OperationInput input(
      DeferredOperation operation,
      Map<EdgeOperation, DeferredOperation> all,
      ClusterMembership membership) {
    EdgeDrain drain = drains.drain();
    DrainRequester by = operation.operation().requester();
    Instant now = context.kube().time().now();
    boolean unknown = membership.clustered().isEmpty() && !drain.disabled();
    // a shutdown that has begun is what another operation leads to
    boolean otherStarted =
        operation.operation() != EdgeOperation.LOGIND
            && all.values().stream()
                .filter(other -> other.operation() != operation.operation())
                .filter(other -> other.bootId().equals(context.bootId()))
                .anyMatch(other -> isUnderWay(other));
    return new OperationInput(
        unknown ? NodeDrainState.UNKNOWN : drain.stateFor(by),
        Duration.between(started, now),
        context.settings().patience(),
        context.settings().lastCheck()
            && !drain.released().contains(by)
            && drain.ending().filter(OperationController::isChecked).isPresent(),
        check,
        running.contains(operation.operation()),
        otherStarted,
        context.bootId(),
        now);
  }

  /** Whether the machine is about to go down; after an update whose command failed, it is not. */
  private static boolean isUnderWay(DeferredOperation operation) {
    return switch (operation.state()) {
      case STARTED -> true;
      case DONE -> operation.operation() != EdgeOperation.UPDATE;
      case ASKED, DEFERRED, FAILED -> false;
    };
  }

  private static boolean isChecked(EdgeDrain.Ending ending) {
    return switch (ending) {
      case DRAINED, NO_PEER, NO_PEER_AFTER_FAILURE -> true;
      case API_UNREACHABLE, FORCED -> false;
    };
  }

  private Instant perform(DeferredOperation operation, OperationStep step) {
    switch (step) {
      case OperationStep.Drop(String why) -> {
        context.journal().line("operation %s is dropped: %s".formatted(operation.context(), why));
        context.files().remove(operation.operation());
      }
      case OperationStep.Defer(DeferredOperation next) -> {
        store(operation, next);
        request(next);
      }
      case OperationStep.Keep(DeferredOperation next) -> store(operation, next);
      case OperationStep.Check() -> look();
      case OperationStep.Run(DeferredOperation next) -> {
        store(operation, next);
        run(next);
      }
      case OperationStep.Interrupted(DeferredOperation next) -> store(operation, next);
      case OperationStep.Wait(DeferredOperation next, Instant until) -> {
        store(operation, next);
        return until;
      }
    }
    return Instant.MAX;
  }

  private void store(DeferredOperation before, DeferredOperation next) {
    if (next.equals(before)) {
      return;
    }
    if (before.isPending() && !before.message().equals(next.message())) {
      context.journal().line(logged(next));
    }
    context.files().store(next);
  }

  /** With the words that operators search for. */
  private static String logged(DeferredOperation operation) {
    boolean update = operation.operation() == EdgeOperation.UPDATE;
    String who = update ? "baseOsHandleStatusUpdateUUID" : "scheduleDeviceOperation";
    return operation.state() == DeferredOperation.State.STARTED
        ? "nodedrain-step:handle-complete requester:%s %s %s"
            .formatted(operation.operation().requester(), who, operation.context())
        : "nodedrain-step:request requester:%s %s %s: %s"
            .formatted(
                operation.operation().requester(), who, operation.context(), operation.message());
  }

  /** Another program's request is as good as ours. */
  private void request(DeferredOperation operation) {
    NodeDrainRequest request = operation.request();
    DrainRequester by = request.requestedBy();
    Optional<NodeDrainRequest> there = context.files().request(by);
    boolean foreign = there.isPresent() && !there.equals(own(by));
    if (foreign
        || there.filter(request::equals).isPresent()
        || isForOtherOperation(there, request)) {
      return;
    }
    Map<DrainRequester, NodeDrainRequest> ours = copyOfOwn();
    ours.put(by, request);
    drains.own(ours);
    context.files().request(request);
    wake.run();
  }

  /** One request serves all device operations; only a new image replaces an older one. */
  private static boolean isForOtherOperation(
      Optional<NodeDrainRequest> there, NodeDrainRequest request) {
    return there.isPresent()
        && request.requestedBy() == DrainRequester.DEVICEOP
        && !there.get().context().equals(request.context());
  }

  private Optional<NodeDrainRequest> own(DrainRequester by) {
    return Optional.ofNullable(drains.ownRequests().get(by));
  }

  private Map<DrainRequester, NodeDrainRequest> copyOfOwn() {
    Map<DrainRequester, NodeDrainRequest> ours = new EnumMap<>(DrainRequester.class);
    ours.putAll(drains.ownRequests());
    return ours;
  }

  private void withdrawUnneeded(Set<DrainRequester> needed) {
    for (DrainRequester by : List.copyOf(drains.ownRequests().keySet())) {
      if (!needed.contains(by)) {
        if (context.files().request(by).equals(own(by))) {
          context.files().withdraw(by);
        }
        Map<DrainRequester, NodeDrainRequest> ours = copyOfOwn();
        ours.remove(by);
        drains.own(ours);
        wake.run();
      }
    }
  }

  private void look() {
    if (!checking) {
      checking = true;
      api.check(
          seen ->
              tell(
                  () -> {
                    checking = false;
                    check = Optional.of(seen);
                  }));
    }
  }

  private void run(DeferredOperation operation) {
    EdgeOperation kind = operation.operation();
    if (!running.add(kind)) {
      return;
    }
    List<String> command =
        operation.command().isEmpty()
            ? context.settings().commands().getOrDefault(kind, List.of())
            : operation.command();
    context.journal().line("%s: runs %s".formatted(operation.context(), String.join(" ", command)));
    try {
      var _ =
          runner
              .run(command, context.paths().updateLog())
              .whenComplete((code, failure) -> tell(() -> ended(operation, code, failure)));
    } catch (IOException missing) {
      ended(operation, null, missing);
    }
  }

  private void ended(
      DeferredOperation operation, @Nullable Integer code, @Nullable Throwable failure) {
    running.remove(operation.operation());
    boolean done = code != null && code == 0;
    String message =
        done
            ? ""
            : failure == null
                ? "its command ended with exit code %s; see %s"
                    .formatted(code, context.paths().updateLog())
                : "its command cannot be run: " + failure.getMessage();
    if (!done) {
      context.journal().warn("%s: %s".formatted(operation.context(), message));
    }
    context
        .files()
        .store(
            operation.with(
                done ? DeferredOperation.State.DONE : DeferredOperation.State.FAILED, message));
    wake.run();
  }
}
