package dev.drydock.slurm.drainer.decide;

import dev.drydock.contracts.nvsentinel.DrainRequestStatus.DrainedPod;
import dev.drydock.drain.engine.decide.Eta;
import java.util.List;

/**
 * What a DrainRequest is answered.
 *
 * @param message for people
 * @param pods what is recorded about each
 * @param left how many pods have yet to go
 * @param eta when that could be
 */
public record DrainAnswer(Reason reason, String message, List<DrainedPod> pods, int left, Eta eta) {
  /** All that can be answered. */
  public enum Reason {
    /** The pods of the drain are gone. */
    DrainComplete,
    /** There was no pod to drain. */
    NoPods,
    /** Slurm has not drained all pods yet. */
    WaitingForSlurm,
    /** Slurm has drained the pods, and they are being deleted. */
    DeletingPods,
    /** There is no such node. */
    NodeNotFound,
    /** The andon cord is pulled. */
    Stopped,
    /** Given up. */
    DrainTimeout;

    public boolean isComplete() {
      return this == DrainComplete || this == NoPods;
    }
  }

  public DrainAnswer {
    pods = List.copyOf(pods);
  }

  /** How many pods are gone. */
  public int gone() {
    return (int) pods.stream().filter(pod -> pod.goneAt() != null).count();
  }

  /** Whether both say the same, apart from the estimate, which changes all the time. */
  public boolean isLike(DrainAnswer other) {
    return reason == other.reason()
        && message.equals(other.message())
        && pods.equals(other.pods())
        && left == other.left();
  }
}
