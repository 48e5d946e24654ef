package dev.drydock.lifecycle.driver;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.lifecycle.decide.DriverStep;
import dev.drydock.lifecycle.decide.PendingCall;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import io.grpc.Status;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** The calls that a driver has not answered yet. Calls that their callers gave up are left out. */
final class DriverCalls implements AutoCloseable {
  /** Claimers give up a call after 45 s. */
  private static final Duration LONGEST_CALL = Duration.ofSeconds(30);

  private final String node;
  private final Clock clock;
  private final Runnable changed;
  private final NavigableMap<Long, Waiting> waiting = new TreeMap<>();
  private long last;
  private boolean closed;

  private record Waiting(PendingCall call, CompletableFuture<LifecycleTransitionResponse> answer) {}

  DriverCalls(String node, Clock clock, Runnable changed) {
    this.node = node;
    this.clock = clock;
    this.changed = changed;
  }

  CompletableFuture<LifecycleTransitionResponse> add(StartLifecycleTransitionRequest request) {
    requireOwnNode(request.getNodeName());
    return switch (request.getStart()) {
      case LifecycleNames.DRAIN_STARTED -> add(PendingCall.Kind.START_DRAIN, asEnd(request));
      case LifecycleNames.UNCORDONING -> add(PendingCall.Kind.START_UNCORDON, asEnd(request));
      default -> unsupported(request.getStart(), "StartLifecycleTransition");
    };
  }

  /** The fields of both requests are the same, but for the SLA, which only an End tells. */
  private static EndLifecycleTransitionRequest asEnd(StartLifecycleTransitionRequest request) {
    return EndLifecycleTransitionRequest.newBuilder()
        .setEventName(request.getEventName())
        .setStart(request.getStart())
        .setEnd(request.getEnd())
        .build();
  }

  CompletableFuture<LifecycleTransitionResponse> add(EndLifecycleTransitionRequest request) {
    requireOwnNode(request.getNodeName());
    return switch (request.getEnd()) {
      case LifecycleNames.DRAIN_COMPLETE -> add(PendingCall.Kind.END_DRAIN, request);
      case LifecycleNames.MAINTENANCE_COMPLETE -> add(PendingCall.Kind.END_UNCORDON, request);
      default -> unsupported(request.getEnd(), "EndLifecycleTransition");
    };
  }

  private void requireOwnNode(String asked) {
    if (!asked.isEmpty() && !asked.equals(node)) {
      throw new IllegalArgumentException(
          "this is the driver of node %s, not of %s".formatted(node, asked));
    }
  }

  /** Code and text of the original driver, which callers may look for. */
  private static CompletableFuture<LifecycleTransitionResponse> unsupported(
      String value, String method) {
    return CompletableFuture.failedFuture(
        Status.UNKNOWN
            .withDescription(
                "driver does not support transition \"%s\" in %s".formatted(value, method))
            .asRuntimeException());
  }

  private CompletableFuture<LifecycleTransitionResponse> add(
      PendingCall.Kind kind, EndLifecycleTransitionRequest request) {
    CompletableFuture<LifecycleTransitionResponse> answer = new CompletableFuture<>();
    synchronized (this) {
      if (closed) {
        return CompletableFuture.failedFuture(stopped());
      }
      PendingCall call =
          PendingCall.of(
              ++last,
              kind,
              request.getEventName(),
              request.getStart(),
              request.getEnd(),
              request.getSlaExpired(),
              clock.instant().plus(LONGEST_CALL));
      waiting.put(call.number(), new Waiting(call, answer));
    }
    changed.run();
    return answer;
  }

  private static Throwable stopped() {
    return Status.UNAVAILABLE.withDescription("the driver was stopped").asRuntimeException();
  }

  synchronized List<PendingCall> pending() {
    waiting.values().removeIf(each -> each.answer().isDone());
    return waiting.values().stream().map(Waiting::call).toList();
  }

  synchronized void change(PendingCall call, UnaryOperator<PendingCall> change) {
    var _ =
        waiting.computeIfPresent(
            call.number(), (_, now) -> new Waiting(change.apply(now.call()), now.answer()));
  }

  synchronized void changeAll(UnaryOperator<PendingCall> change) {
    waiting.replaceAll((_, now) -> new Waiting(change.apply(now.call()), now.answer()));
  }

  void answer(PendingCall call, DriverStep.Reply reply) {
    CompletableFuture<LifecycleTransitionResponse> answer = take(call);
    LifecycleTransitionResponse.Builder response = LifecycleTransitionResponse.newBuilder();
    switch (reply) {
      case DriverStep.Reply.Told(String reason) ->
          answer.complete(response.setLifecycleCondition(reason).setNodeName(node).build());
      case DriverStep.Reply.Failed(String why) ->
          answer.complete(response.setError(why).setNodeName(node).build());
      case DriverStep.Reply.Unavailable(String why) ->
          answer.completeExceptionally(
              Status.UNAVAILABLE.withDescription(why).asRuntimeException());
    }
  }

  void fail(PendingCall call, Throwable bug) {
    take(call).completeExceptionally(bug);
  }

  private synchronized CompletableFuture<LifecycleTransitionResponse> take(PendingCall call) {
    Waiting taken = waiting.remove(call.number());
    return taken == null ? new CompletableFuture<>() : taken.answer();
  }

  @Override
  public void close() {
    List<Waiting> left;
    synchronized (this) {
      closed = true;
      left = new ArrayList<>(waiting.values());
      waiting.clear();
    }
    left.forEach(each -> each.answer().completeExceptionally(stopped()));
  }
}
