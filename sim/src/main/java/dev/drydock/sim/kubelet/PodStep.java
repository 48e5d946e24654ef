package dev.drydock.sim.kubelet;

import dev.drydock.sim.kubelet.PodView.Phase;
import java.time.Instant;

/** The one next thing a kubelet does about a pod. */
sealed interface PodStep {
  /** Nothing, until the pod or its node changes. */
  record Rest() implements PodStep {}

  /** Nothing before this instant, unless the pod or its node changes. */
  record WaitUntil(Instant instant) implements PodStep {}

  /** Write a new status. */
  sealed interface Write extends PodStep {}

  /** The containers run, for the how-manieth time (0: the first), and are ready or not. */
  record Start(int restarts, boolean ready) implements Write {}

  /** The running containers have become ready, or have ceased to be; so has the pod. */
  record SetReady(boolean containers, boolean pod) implements Write {}

  /** The containers have ended for good. */
  record Finish(Phase phase, String reason, int exitCode) implements Write {}

  /** Everything of the pod has stopped: the API object may go. */
  record Remove() implements PodStep {}
}
