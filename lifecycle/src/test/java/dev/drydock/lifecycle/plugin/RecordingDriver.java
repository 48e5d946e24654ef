package dev.drydock.lifecycle.plugin;

import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Answers with what it was asked, and can be made to think until its caller gives up. */
final class RecordingDriver implements Driver {
  final List<StartLifecycleTransitionRequest> starts = new CopyOnWriteArrayList<>();
  final List<EndLifecycleTransitionRequest> ends = new CopyOnWriteArrayList<>();
  final CountDownLatch cancelled = new CountDownLatch(1);
  volatile boolean blocking;
  volatile String error = "";

  @Override
  public CompletableFuture<LifecycleTransitionResponse> start(
      StartLifecycleTransitionRequest request) {
    starts.add(request);
    return CompletableFuture.completedFuture(response(request.getStart(), request.getNodeName()));
  }

  @Override
  public CompletableFuture<LifecycleTransitionResponse> end(EndLifecycleTransitionRequest request) {
    ends.add(request);
    if (blocking) {
      return untilCancelled(response(request.getEnd(), request.getNodeName()));
    }
    return CompletableFuture.completedFuture(response(request.getEnd(), request.getNodeName()));
  }

  private LifecycleTransitionResponse response(String condition, String node) {
    return LifecycleTransitionResponse.newBuilder()
        .setLifecycleCondition(condition)
        .setNodeName(node)
        .setError(error)
        .build();
  }

  /** Answers when the caller gives up, or the test does so in its place. */
  private CompletableFuture<LifecycleTransitionResponse> untilCancelled(
      LifecycleTransitionResponse response) {
    CompletableFuture<LifecycleTransitionResponse> answer = new CompletableFuture<>();
    var _ = answer.whenComplete((_, _) -> cancelled.countDown());
    Thread.startVirtualThread(
        () -> {
          try {
            cancelled.await();
            answer.complete(response);
          } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
          }
        });
    return answer;
  }
}
