package dev.drydock.slurm.worker.decide;

import dev.drydock.contracts.nvsentinel.SlurmNames;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A pod that is a worker of Slurm.
 *
 * @param slurmNode the name by which Slurm knows it
 * @param phase of the pod, e.g. {@code Running}
 * @param terminating whether it is being deleted
 * @param states its conditions about Slurm, by type
 * @param jobsEnd when its jobs should have ended, if that was announced
 */
public record WorkerPod(
    String namespace,
    String name,
    String uid,
    String node,
    String slurmNode,
    String phase,
    boolean ready,
    boolean terminating,
    Map<String, SlurmCondition> states,
    Optional<Instant> jobsEnd) {
  /** Phases of pods without a process that could run jobs. */
  private static final Set<String> NOT_RUNNING = Set.of("Pending", "Succeeded", "Failed");

  public WorkerPod {
    states = Map.copyOf(states);
  }

  /** What a condition about Slurm says. */
  public record SlurmCondition(String status, String reason, String message) {
    public boolean isTrue() {
      return status.equals("True");
    }
  }

  public boolean is(String type) {
    return condition(type).filter(SlurmCondition::isTrue).isPresent();
  }

  public Optional<SlurmCondition> condition(String type) {
    return Optional.ofNullable(states.get(type));
  }

  /** The conditions by which jobs run on it. */
  public List<String> busy() {
    return SlurmNames.BUSY.stream().filter(this::is).toList();
  }

  /** Whether Slurm says that it runs no jobs and gets no new ones. */
  public boolean isDrained() {
    return is(SlurmNames.DRAIN) && !is(SlurmNames.UNDRAIN) && busy().isEmpty();
  }

  /** Whether it has no process, so that Slurm will never say that it is drained. */
  public boolean isNotRunning() {
    return NOT_RUNNING.contains(phase);
  }

  /** A copy that is being deleted. */
  public WorkerPod deleted() {
    return new WorkerPod(
        namespace, name, uid, node, slurmNode, phase, ready, true, states, jobsEnd);
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
