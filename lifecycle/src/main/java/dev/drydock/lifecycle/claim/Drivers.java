package dev.drydock.lifecycle.claim;

import dev.drydock.lifecycle.decide.DriverPresence;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The drivers of a node, as its claimer sees them. */
public interface Drivers {
  /** All that were found, by name; they stay here when they are gone. */
  Map<String, DriverPresence> known();

  /** Cancelling it ends the call. */
  CompletableFuture<LifecycleTransitionResponse> start(
      String driver, StartLifecycleTransitionRequest request);

  /** Cancelling it ends the call. */
  CompletableFuture<LifecycleTransitionResponse> end(
      String driver, EndLifecycleTransitionRequest request);
}
