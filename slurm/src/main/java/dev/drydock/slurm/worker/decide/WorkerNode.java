package dev.drydock.slurm.worker.decide;

import java.util.List;
import java.util.Optional;

/**
 * A Node that may have workers of Slurm.
 *
 * @param cordonReason why Slurm is to give it no new jobs, if so
 * @param inEpisode whether a fault of the node is being handled
 * @param drainRecord what the bridge drained in Slurm because of it, if it did
 */
public record WorkerNode(
    String name,
    Optional<String> cordonReason,
    boolean inEpisode,
    Optional<DrainRecord> drainRecord) {
  /**
   * A drain in Slurm. Its workers may be gone by the time that it ends, so their names are kept.
   *
   * @param workers their names in Slurm
   * @param reason by which Slurm's drain is recognised
   */
  public record DrainRecord(List<String> workers, String reason) {
    public DrainRecord {
      workers = List.copyOf(workers);
    }
  }
}
