package dev.drydock.lifecycle.plugin;

import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import io.grpc.Context;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Answers with what it was asked, and can be made to think until its caller gives up. */
final class RecordingDriver implements Driver {
  final List<StartLifecycleTransitionRequest> starts = new CopyOnWriteArrayList<>();
  final List<EndLifecycleTransitionRequest> ends = new CopyOnWriteArrayList<>();
  final CountDownLatch cancelled = new CountDownLatch(1);
  volatile boolean blocking;
  volatile String error = "";

  @Override
  public LifecycleTransitionResponse start(StartLifecycleTransitionRequest request) {
    starts.add(request);
    return response(request.getStart(), request.getNodeName());
  }

  @Override
  public LifecycleTransitionResponse end(EndLifecycleTransitionRequest request) {
    ends.add(request);
    if (blocking) {
      waitForCancellation();
    }
    return response(request.getEnd(), request.getNodeName());
  }

  private LifecycleTransitionResponse response(String condition, String node) {
    return LifecycleTransitionResponse.newBuilder()
        .setLifecycleCondition(condition)
        .setNodeName(node)
        .setError(error)
        .build();
  }

  private void waitForCancellation() {
    Context.current().addListener(context -> cancelled.countDown(), Runnable::run);
    try {
      if (!cancelled.await(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("nobody gave up");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
