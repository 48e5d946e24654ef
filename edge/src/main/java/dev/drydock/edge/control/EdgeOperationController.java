package dev.drydock.edge.control;

import dev.drydock.edge.decide.ClusterMembership;
import dev.drydock.edge.decide.DeferredOperation;
import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeDecider;
import dev.drydock.edge.decide.EdgeDrain;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainRequest;
import dev.drydock.edge.decide.OperationDecider;
import dev.drydock.edge.decide.OperationInput;
import dev.drydock.edge.decide.OperationInput.LastCheck;
import dev.drydock.edge.decide.OperationStep;
import dev.drydock.edge.decide.OwnRequests;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
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
final class EdgeOperationController {
  private final EdgeContext context;
  private final EdgeDrainController drains;
  private final EdgeApi api;
  private final OperationRunner runner;
  private final Runnable wake;
  private final Duration started;
  private final Set<EdgeOperation> running = EnumSet.noneOf(EdgeOperation.class);
  private final Queue<Runnable> heard = new ConcurrentLinkedQueue<>();
  private Optional<LastCheck> check = Optional.empty();
  private boolean checking;

  EdgeOperationController(
      EdgeContext context,
      EdgeDrainController drains,
      EdgeApi api,
      OperationRunner runner,
      Runnable wake) {
    this.context = context;
    this.drains = drains;
    this.api = api;
    this.runner = runner;
    this.wake = wake;
    started = context.kube().time().elapsed();
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
    return deferred() > 0;
  }

  /** How many operations wait. */
  int deferred() {
    return Math.toIntExact(
        context.files().operations().values().stream()
            .filter(DeferredOperation::isPending)
            .count());
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
      if (step.needsRequest()) {
        needed.add(operation.operation().requester());
      }
    }
    withdrawUnneeded(needed);
    return next;
  }

  private OperationInput input(
      DeferredOperation operation,
      Map<EdgeOperation, DeferredOperation> all,
      ClusterMembership membership) {
    EdgeDrain drain = drains.drain();
    DrainRequester by = operation.operation().requester();
    Instant now = context.kube().time().now();
    return new OperationInput(
        drain.stateFor(by, membership.clustered()),
        drain.isFor(by),
        context.kube().time().elapsed().minus(started), // the clock may be set after a boot
        context.settings().patience(),
        context.settings().lastCheck() && drain.needsLastCheck(by),
        check,
        running.contains(operation.operation()),
        operation.waitsForAnother(all.values(), context.bootId()),
        context.bootId(),
        now);
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
      case OperationStep.Keep(DeferredOperation next) -> {
        if (!next.equals(operation)) {
          context.journal().line(logged("drain-failed-handler", next));
        }
        store(operation, next);
      }
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

  /** A log line with the words that operators search for. */
  private static String logged(DeferredOperation operation) {
    return operation.state() == DeferredOperation.State.STARTED
        ? logged("handle-complete", operation)
        : logged("request", operation) + ": " + operation.message();
  }

  private static String logged(String step, DeferredOperation operation) {
    boolean update = operation.operation() == EdgeOperation.UPDATE;
    return "%s%s requester:%s %s %s"
        .formatted(
            EdgeDecider.STEP,
            step,
            operation.operation().requester(),
            update ? "baseOsHandleStatusUpdateUUID" : "scheduleDeviceOperation",
            operation.context());
  }

  /** Remembered before it is published, so that it is withdrawn after a crash. */
  private void request(DeferredOperation operation) {
    NodeDrainRequest request = operation.request();
    OwnRequests ours = own();
    if (ours.mustPublish(request, context.files().request(request.requestedBy()))) {
      drains.own(ours.with(request).byRequester());
      context.files().request(request);
      wake.run();
    }
  }

  private OwnRequests own() {
    return new OwnRequests(drains.ownRequests());
  }

  private void withdrawUnneeded(Set<DrainRequester> needed) {
    for (DrainRequester by : own().unneeded(needed)) {
      if (own().isOurs(by, context.files().request(by))) {
        context.files().withdraw(by);
      }
      drains.own(own().without(by).byRequester());
      wake.run();
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
    String what =
        kind == EdgeOperation.LOGIND ? "lets logind go on" : "runs " + String.join(" ", command);
    context.journal().line("%s: %s".formatted(operation.context(), what));
    try {
      var _ =
          runner
              .run(kind, command, context.paths().updateLog())
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
