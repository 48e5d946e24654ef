package dev.drydock.lifecycle.plugin;

import dev.drydock.contracts.slm.EndLifecycleTransitionRequest;
import dev.drydock.contracts.slm.LifecycleTransitionResponse;
import dev.drydock.contracts.slm.StartLifecycleTransitionRequest;

/**
 * What a driver answers. Calls come on virtual threads, several at once, and may block; whether the
 * caller still waits is told by {@link io.grpc.Context#current}. An IllegalArgumentException is the
 * caller's mistake and its message the answer.
 */
public interface Driver {
  LifecycleTransitionResponse start(StartLifecycleTransitionRequest request);

  LifecycleTransitionResponse end(EndLifecycleTransitionRequest request);
}
