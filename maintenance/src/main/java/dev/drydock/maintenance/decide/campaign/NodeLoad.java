package dev.drydock.maintenance.decide.campaign;

import dev.drydock.drain.engine.decide.Eta;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What keeps a node from being empty.
 *
 * @param drain the drain engine's estimate, if it made one
 * @param waitedFor the pods that a drain would let finish; those it evicts are part of its estimate
 */
public record NodeLoad(Optional<Eta> drain, List<RunningPod> waitedFor) {
  /** What has just begun is not about to end. */
  private static final Duration UNKNOWN = Duration.ofMinutes(10);

  public static final NodeLoad EMPTY = new NodeLoad(Optional.empty(), List.of());

  public NodeLoad {
    waitedFor = List.copyOf(waitedFor);
  }

  /** Nothing but one piece of work that ends then. */
  static NodeLoad until(Instant end) {
    RunningPod pod = new RunningPod("", end, Optional.of(end), Optional.empty());
    return new NodeLoad(Optional.empty(), List.of(pod));
  }

  /**
   * A pod that a drain would let finish.
   *
   * @param owner by what its run times are compared with others', e.g. the CronJob
   * @param jobDeadline when Kubernetes ends it: {@code activeDeadlineSeconds} from the start
   * @param slurmDeadline what the annotation {@code nodeset.slinky.slurm.net/pod-deadline} says
   */
  public record RunningPod(
      String owner,
      Instant started,
      Optional<Instant> jobDeadline,
      Optional<Instant> slurmDeadline) {}

  /**
   * How long until the node could be empty, if it were cordoned now: the longest of its pods.
   *
   * <p>A pod takes as long as earlier runs of its owner say; where none lasted as long, until its
   * deadline, and without one as long again as it has run already, but no less than what nobody
   * knows anything about is taken for. Deadlines bound all that, and so does the engine's upper
   * estimate.
   */
  Duration leavesIn(RunHistory history, Instant now) {
    Duration longest = drain.map(Eta::atLeast).orElse(Duration.ZERO);
    for (RunningPod pod : waitedFor) {
      Duration left = remaining(pod, history, now);
      longest = left.compareTo(longest) > 0 ? left : longest;
    }
    Duration estimate = longest;
    return drain.flatMap(Eta::atMost).filter(most -> most.compareTo(estimate) < 0).orElse(estimate);
  }

  private static Duration remaining(RunningPod pod, RunHistory history, Instant now) {
    Duration age = left(pod.started(), now);
    return Stream.of(
            history.remaining(pod.owner(), age),
            pod.jobDeadline().map(end -> left(now, end)),
            pod.slurmDeadline().map(end -> left(now, end)))
        .flatMap(Optional::stream)
        .min(Comparator.naturalOrder())
        .orElse(age.compareTo(UNKNOWN) > 0 ? age : UNKNOWN);
  }

  private static Duration left(Instant from, Instant to) {
    return from.isBefore(to) ? Duration.between(from, to) : Duration.ZERO;
  }
}
