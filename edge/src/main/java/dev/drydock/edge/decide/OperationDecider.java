package dev.drydock.edge.decide;

import dev.drydock.edge.decide.DeferredOperation.State;
import dev.drydock.edge.decide.OperationInput.LastCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Decides when an operation goes, once each. Pure. */
public final class OperationDecider {
  private OperationDecider() {}

  /**
   * Decides about one operation.
   *
   * @param skipTimeout after this time without the API server the last look is skipped, as the
   *     drain is
   */
  public static OperationStep decide(
      DeferredOperation operation, OperationInput in, Duration skipTimeout) {
    if (!operation.bootId().equals(in.bootId())) {
      return ofEarlierBoot(operation, in);
    }
    return switch (operation.state()) {
      case DONE, FAILED -> waiting(operation, Instant.MAX);
      case STARTED -> started(operation, in);
      case ASKED ->
          gated(
              operation,
              OperationGate.asked(in.state(), in.unknownFor(), in.patience()),
              in,
              skipTimeout);
      case DEFERRED ->
          gated(
              operation,
              OperationGate.deferred(in.state(), in.unknownFor(), in.patience()),
              in,
              skipTimeout);
      case KEPT ->
          gated(operation, OperationGate.kept(in.state(), in.addressed()), in, skipTimeout);
    };
  }

  /** The machine has been down since, which is what was asked for; a new image was not. */
  private static OperationStep ofEarlierBoot(DeferredOperation operation, OperationInput in) {
    return operation.operation() == EdgeOperation.UPDATE && operation.isPending()
        ? new OperationStep.Wait(operation.renewed(in.bootId()), in.now())
        : new OperationStep.Drop("the machine has been restarted since");
  }

  /**
   * The agent died after it had begun. Rebooting twice is one reboot; a command that installs an
   * image may not be repeatable.
   */
  private static OperationStep started(DeferredOperation operation, OperationInput in) {
    if (in.running()) {
      return waiting(operation, Instant.MAX);
    }
    return operation.operation() == EdgeOperation.UPDATE
        ? new OperationStep.Interrupted(
            operation.with(
                State.FAILED,
                "the agent ended while the command ran; if it has to run again, ask again"))
        : new OperationStep.Run(operation);
  }

  private static OperationStep gated(
      DeferredOperation operation, OperationGate gate, OperationInput in, Duration skipTimeout) {
    return switch (gate) {
      case WAIT ->
          new OperationStep.Wait(
              operation.with(operation.state(), "nobody has published a drain status yet"),
              in.now().plus(in.patience().minus(in.unknownFor())));
      case REQUEST, DEFER ->
          new OperationStep.Defer(operation.with(State.DEFERRED, "waits for the drain"));
      case KEEP ->
          new OperationStep.Keep(
              operation.state() == State.KEPT
                  ? operation
                  : operation.with(
                      State.KEPT,
                      "the drain failed (%s); ask again to drain again".formatted(in.state())));
      case GO -> go(operation, in, skipTimeout);
    };
  }

  private static OperationStep go(
      DeferredOperation operation, OperationInput in, Duration skipTimeout) {
    if (in.otherStarted()) {
      return waiting(operation.with(operation.state(), "another operation goes first"));
    }
    if (!in.needsCheck()) {
      return run(operation);
    }
    Optional<LastCheck> check =
        in.check()
            .filter(look -> in.now().isBefore(look.at().plus(LastCheck.BETWEEN)))
            .filter(look -> !look.at().isAfter(in.now())); // the clock was set back
    if (check.isEmpty()) {
      return new OperationStep.Check();
    }
    LastCheck look = check.get();
    Instant again = look.at().plus(LastCheck.BETWEEN);
    if (look.unreachableSince().isPresent()) {
      Instant skipped = look.unreachableSince().get().plus(skipTimeout);
      return in.now().isBefore(skipped)
          ? new OperationStep.Wait(
              operation.with(
                  State.DEFERRED,
                  "the API server is unreachable; goes at %s at the latest".formatted(skipped)),
              skipped.isBefore(again) ? skipped : again)
          : run(operation);
    }
    if (look.blocked().isPresent()) {
      return new OperationStep.Wait(operation.with(State.DEFERRED, look.blocked().get()), again);
    }
    return in.now().isBefore(look.at().plus(LastCheck.FRESH))
        ? run(operation)
        : new OperationStep.Check();
  }

  private static OperationStep run(DeferredOperation operation) {
    return new OperationStep.Run(operation.with(State.STARTED, ""));
  }

  private static OperationStep waiting(DeferredOperation operation, Instant until) {
    return new OperationStep.Wait(operation, until);
  }

  private static OperationStep waiting(DeferredOperation operation) {
    return waiting(operation, Instant.MAX);
  }
}
