package dev.drydock.maintenance.decide.campaign;

import dev.drydock.drain.engine.decide.Eta;
import dev.drydock.drain.engine.decide.PodFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What keeps a node from being empty.
 *
 * @param drain the drain engine's estimate, if there is one
 * @param waitedFor the pods that a drain would let finish; evicted ones are part of the estimate
 * @param never why it can never be empty as it is now, if so
 */
public record NodeLoad(Optional<Eta> drain, List<RunningPod> waitedFor, Optional<String> never) {
  /** The minimum estimate for work without history. */
  private static final Duration UNKNOWN = Duration.ofMinutes(10);

  public static final NodeLoad EMPTY = new NodeLoad(Optional.empty(), List.of());

  public NodeLoad {
    waitedFor = List.copyOf(waitedFor);
  }

  public NodeLoad(Optional<Eta> drain, List<RunningPod> waitedFor) {
    this(drain, waitedFor, Optional.empty());
  }

  /** The same when it is known how long its work takes. */
  NodeLoad fixed(Instant end) {
    return new NodeLoad(Optional.empty(), until(end).waitedFor(), never);
  }

  /** A single piece of work that ends then. */
  static NodeLoad until(Instant end) {
    RunningPod pod = new RunningPod("", end, Optional.of(end), Optional.empty());
    return new NodeLoad(Optional.empty(), List.of(pod));
  }

  /**
   * A pod that a drain would let finish.
   *
   * @param owner groups its run times with others', e.g. the CronJob
   * @param jobDeadline when Kubernetes ends it: {@code activeDeadlineSeconds} from the start
   * @param slurmDeadline the value of the annotation {@code nodeset.slinky.slurm.net/pod-deadline}
   */
  public record RunningPod(
      String owner,
      Instant started,
      Optional<Instant> jobDeadline,
      Optional<Instant> slurmDeadline) {

    /** A pod that has not started yet counts as started now. */
    public static RunningPod of(PodFacts pod, Instant now) {
      return new RunningPod(
          RunHistory.owner(pod), pod.started().orElse(now), pod.endsBy(), pod.announcedEnd());
    }
  }

  /**
   * How long until the node could be empty, if it were cordoned now: the longest of its pods.
   *
   * <p>A pod's remaining time is estimated from earlier runs of its owner; if none lasted as long,
   * from its deadline; and without one, as long again as it has run already, with a minimum.
   * Deadlines and the engine's upper estimate limit all of these.
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
