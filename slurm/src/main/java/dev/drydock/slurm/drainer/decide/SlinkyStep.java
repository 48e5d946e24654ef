package dev.drydock.slurm.drainer.decide;

import java.time.Instant;
import java.util.List;

/** The next step for a DrainRequest. */
public sealed interface SlinkyStep {
  /** Nothing, until something changes. */
  record Leave() implements SlinkyStep {}

  /** Add the finalizer, so that the annotation is never left behind. */
  record Claim() implements SlinkyStep {}

  /** Annotate the node, so that Slurm gives it no new jobs. */
  record Cordon(String reason) implements SlinkyStep {}

  /** List the pods of the node and decide again: the watch may not show all of them yet. */
  record ListPods() implements SlinkyStep {}

  /**
   * Answer, if that is new, and look again no later than this.
   *
   * @param until {@link Instant#MAX} if only a change can help
   */
  record Answer(DrainAnswer answer, Instant until) implements SlinkyStep {}

  /** Delete these pods. */
  record Delete(List<PodLook> pods) implements SlinkyStep {
    public Delete {
      pods = List.copyOf(pods);
    }
  }

  /** Remove the annotation. */
  record Uncordon() implements SlinkyStep {}

  /** Remove the finalizer. */
  record Unclaim() implements SlinkyStep {}
}
