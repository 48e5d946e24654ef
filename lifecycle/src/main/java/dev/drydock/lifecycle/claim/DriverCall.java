package dev.drydock.lifecycle.claim;

import dev.drydock.lifecycle.decide.ClaimStep;
import dev.drydock.lifecycle.decide.DriverCallState;
import dev.drydock.lifecycle.decide.LifecycleEventFacts;
import dev.drydock.lifecycle.decide.TransitionFacts;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import io.grpc.Status;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The claimer's calls to a driver: one at a time, without waiting for the answer. */
final class DriverCall {
  private final Drivers drivers;
  private final String node;
  private final Clock clock;
  private final Runnable heard;
  private Optional<DriverCallState> callState = Optional.empty();
  private @Nullable CompletableFuture<LifecycleTransitionResponse> underWay;
  private int turn;

  /**
   * @param heard called when there is an answer
   */
  DriverCall(Drivers drivers, String node, Clock clock, Runnable heard) {
    this.drivers = drivers;
    this.node = node;
    this.clock = clock;
    this.heard = heard;
  }

  synchronized Optional<DriverCallState> callState() {
    return callState;
  }

  synchronized boolean isCalling() {
    return callState.filter(call -> call.answer().isEmpty()).isPresent();
  }

  /** Calls; an earlier call that is not answered yet is given up. */
  synchronized void ask(ClaimStep.Ask step) {
    cancel();
    int ours = turn;
    DriverCallState call =
        DriverCallState.calling(step.event().uid(), step.call(), clock.instant());
    callState = Optional.of(call);
    underWay = call(step);
    var _ = underWay.whenComplete((answer, failure) -> answered(ours, call, answer, failure));
  }

  private CompletableFuture<LifecycleTransitionResponse> call(ClaimStep.Ask step) {
    LifecycleEventFacts event = step.event();
    TransitionFacts transition = step.transition();
    if (step.call() == DriverCallState.Call.START) {
      return drivers.start(
          transition.driver(),
          StartLifecycleTransitionRequest.newBuilder()
              .setTransitionName(transition.ref().name())
              .setEventName(event.ref().name())
              .setNodeName(node)
              .setStart(transition.start())
              .setEnd(transition.end())
              .build());
    }
    return drivers.end(
        transition.driver(),
        EndLifecycleTransitionRequest.newBuilder()
            .setTransitionName(transition.ref().name())
            .setEventName(event.ref().name())
            .setNodeName(node)
            .setStart(transition.start())
            .setEnd(transition.end())
            .setSlaExpired(step.call() == DriverCallState.Call.EXPIRE)
            .build());
  }

  private void answered(
      int ours,
      DriverCallState call,
      @Nullable LifecycleTransitionResponse answer,
      @Nullable Throwable failure) {
    synchronized (this) {
      if (turn != ours) {
        return; // given up for another call
      }
      callState =
          Optional.of(
              call.answered(answer == null || failure != null ? failure(failure) : said(answer)));
    }
    heard.run();
  }

  private static DriverCallState.Answer said(LifecycleTransitionResponse answer) {
    return answer.getError().isEmpty()
        ? new DriverCallState.Answer.Told(answer.getLifecycleCondition(), answer.getNodeName())
        : new DriverCallState.Answer.Refused(answer.getError());
  }

  private static DriverCallState.Answer failure(@Nullable Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    Status status = cause == null ? Status.UNKNOWN : Status.fromThrowable(cause);
    String words =
        status.getCode() + (status.getDescription() == null ? "" : ": " + status.getDescription());
    return switch (status.getCode()) {
      // Only these mean that the driver gave no answer. Any other is its answer, also UNKNOWN,
      // which a plain error of a driver in Go has.
      case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED ->
          new DriverCallState.Answer.Unreachable(words);
      default -> new DriverCallState.Answer.Refused("the driver refuses: " + words);
    };
  }

  /** The node's condition says what the driver said. */
  synchronized void published() {
    callState = callState.map(DriverCallState::publish);
  }

  synchronized void cancel() {
    turn++;
    callState = Optional.empty();
    if (underWay != null) {
      underWay.cancel(true);
      underWay = null;
    }
  }
}
