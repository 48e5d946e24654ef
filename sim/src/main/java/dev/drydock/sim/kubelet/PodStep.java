package dev.drydock.sim.kubelet;

import dev.drydock.sim.kubelet.PodView.Phase;
import java.time.Instant;

/** A kubelet's next action for a pod. */
sealed interface PodStep {
  /** Nothing, until the pod or its node changes. */
  record Rest() implements PodStep {}

  /** Nothing before this instant, unless the pod or its node changes. */
  record WaitUntil(Instant instant) implements PodStep {}

  /** Write a new status. */
  sealed interface Write extends PodStep {}

  /** The containers run, with this restart count, ready or not. */
  record Start(int restarts, boolean ready) implements Write {}

  /** The running containers, and so the pod, have become ready or unready. */
  record SetReady(boolean containers, boolean pod) implements Write {}

  /** The containers have ended permanently. */
  record Finish(Phase phase, String reason, int exitCode) implements Write {}

  /** All containers have stopped: the API object can be deleted. */
  record Remove() implements PodStep {}
}
