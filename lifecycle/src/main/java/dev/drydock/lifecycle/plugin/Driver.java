package dev.drydock.lifecycle.plugin;

import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import java.util.concurrent.CompletableFuture;

/**
 * What a driver answers, at once or later; it never blocks the caller's thread. Cancelling what is
 * returned says that the caller does not wait any more. An IllegalArgumentException, thrown or as
 * the answer, is the caller's mistake and its message the answer.
 */
public interface Driver {
  CompletableFuture<LifecycleTransitionResponse> start(StartLifecycleTransitionRequest request);

  CompletableFuture<LifecycleTransitionResponse> end(EndLifecycleTransitionRequest request);
}
