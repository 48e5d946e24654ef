package dev.drydock.lifecycle;

import dev.drydock.lifecycle.plugin.Driver;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import java.util.concurrent.CompletableFuture;

/** A driver that is done at once. */
final class QuickDriver implements Driver {
  @Override
  public CompletableFuture<LifecycleTransitionResponse> start(
      StartLifecycleTransitionRequest request) {
    return said(request.getStart(), request.getNodeName());
  }

  @Override
  public CompletableFuture<LifecycleTransitionResponse> end(EndLifecycleTransitionRequest request) {
    return said(request.getEnd(), request.getNodeName());
  }

  private static CompletableFuture<LifecycleTransitionResponse> said(String reason, String node) {
    return CompletableFuture.completedFuture(
        LifecycleTransitionResponse.newBuilder()
            .setLifecycleCondition(reason)
            .setNodeName(node)
            .build());
  }
}
