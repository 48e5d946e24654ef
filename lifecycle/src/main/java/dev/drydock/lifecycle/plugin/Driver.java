package dev.drydock.lifecycle.plugin;

import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;

/**
 * What a driver answers. Calls come on virtual threads, several at once, and may block; whether the
 * caller still waits is told by {@link io.grpc.Context#current}. An IllegalArgumentException is the
 * caller's mistake and its message the answer.
 */
public interface Driver {
  LifecycleTransitionResponse start(StartLifecycleTransitionRequest request);

  LifecycleTransitionResponse end(EndLifecycleTransitionRequest request);
}
