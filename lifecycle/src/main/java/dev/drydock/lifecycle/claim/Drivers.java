package dev.drydock.lifecycle.claim;

import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The drivers of a node, as its claimer sees them. */
public interface Drivers {
  /** By name, with the moment since when they are gone, if they are. */
  Map<String, Optional<Instant>> known();

  /** Cancelling it ends the call. */
  CompletableFuture<LifecycleTransitionResponse> start(
      String driver, StartLifecycleTransitionRequest request);

  /** Cancelling it ends the call. */
  CompletableFuture<LifecycleTransitionResponse> end(
      String driver, EndLifecycleTransitionRequest request);
}
