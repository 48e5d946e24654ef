package dev.drydock.slurm.drainer.decide;

import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.NameLists;
import dev.drydock.contracts.nvsentinel.DrainRequestStatus.DrainedPod;
import dev.drydock.contracts.nvsentinel.SlurmNames;
import dev.drydock.drain.engine.decide.Eta;
import dev.drydock.slurm.drainer.decide.DrainAnswer.Reason;
import dev.drydock.slurm.worker.decide.WorkerNode;
import dev.drydock.slurm.worker.decide.WorkerPod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The next step for one DrainRequest. Its pods are deleted only while Slurm says that none of them
 * runs jobs or gets new ones, and it is complete when they are gone.
 */
public final class SlinkyDrainDecider {
  /** How long a pod gets to stop. */
  public static final Duration GRACE = Duration.ofSeconds(30);

  private static final int PODS_SHOWN = 20;

  private final SlinkyRequest request;
  private final Sight sight;
  private final Limits limits;
  private final Instant now;

  /**
   * What is there.
   *
   * @param node empty if there is no such node
   * @param pods those of the node that are Slurm's workers
   * @param listed whether they were just listed; a watch may lack one that was bound to the node
   *     before it was annotated
   * @param others whether another request wants the same node drained
   * @param stopped why nothing new may begin, if so
   */
  public record Sight(
      Optional<WorkerNode> node,
      List<WorkerPod> pods,
      boolean listed,
      boolean others,
      Optional<String> stopped) {
    public Sight {
      pods = List.copyOf(pods);
    }
  }

  /**
   * The drainer's settings.
   *
   * @param timeout from the first answer; then the drain is given up
   * @param checkInterval the longest time between two looks while it waits
   */
  public record Limits(Duration timeout, Duration checkInterval, UnreadyPods unready) {}

  /**
   * What to do, and what the pods looked like.
   *
   * @param looks empty if the pods were not looked at
   */
  public record Decision(SlinkyStep step, List<PodLook> looks) {
    public Decision {
      looks = List.copyOf(looks);
    }
  }

  private SlinkyDrainDecider(SlinkyRequest request, Sight sight, Limits limits, Instant now) {
    this.request = request;
    this.sight = sight;
    this.limits = limits;
    this.now = now;
  }

  public static Decision decide(SlinkyRequest request, Sight sight, Limits limits, Instant now) {
    return new SlinkyDrainDecider(request, sight, limits, now).decide();
  }

  private Decision decide() {
    if (!request.isActive()) {
      return only(release());
    }
    if (!request.claimed()) {
      return only(new SlinkyStep.Claim());
    }
    if (request.says(Reason.DrainTimeout)) {
      return only(new SlinkyStep.Leave());
    }
    Decision next = drain();
    boolean mayBeDone =
        switch (next.step()) {
          case SlinkyStep.ListPods() -> true;
          case SlinkyStep.Answer(DrainAnswer answer, Instant _) -> answer.reason().isComplete();
          default -> false;
        };
    return mayBeDone || now.isBefore(deadline()) ? next : giveUp(next.looks());
  }

  private static Decision only(SlinkyStep step) {
    return new Decision(step, List.of());
  }

  private Instant deadline() {
    return request.begun().map(since -> since.plus(limits.timeout())).orElse(Instant.MAX);
  }

  /** While a fault of the node is handled, Slurm is to stay away from it. */
  private SlinkyStep release() {
    if (!request.claimed()) {
      return new SlinkyStep.Leave();
    }
    if (sight.node().isEmpty()) {
      return new SlinkyStep.Unclaim();
    }
    WorkerNode node = sight.node().get();
    if (node.inEpisode()) {
      return new SlinkyStep.Leave();
    }
    boolean ours =
        node.cordonReason().filter(why -> why.startsWith(SlurmNames.CORDON_PREFIX)).isPresent();
    return ours && !sight.others() ? new SlinkyStep.Uncordon() : new SlinkyStep.Unclaim();
  }

  private Decision drain() {
    List<WorkerPod> pods = podsOfDrain();
    if (pods.isEmpty() && request.says(Reason.DeletingPods)) {
      return only(complete());
    }
    if (sight.node().isEmpty()) {
      return only(
          waiting(
              Reason.NodeNotFound,
              "node %s does not exist".formatted(request.spec().nodeName()),
              List.of()));
    }
    if (sight.node().get().cordonReason().isEmpty()) {
      return only(
          sight
              .stopped()
              .<SlinkyStep>map(why -> waiting(held(Reason.Stopped), why, List.of()))
              .orElseGet(() -> new SlinkyStep.Cordon(CordonReason.of(request.spec()))));
    }
    List<PodLook> looks = pods.stream().map(pod -> PodLook.of(pod, limits.unready())).toList();
    return new Decision(pods.isEmpty() ? complete() : next(looks), looks);
  }

  /**
   * Once it was recorded which pods the drain is about, a pod that comes later is not one of them:
   * a controller may replace those that go. Where the cluster's definition of DrainRequests does
   * not keep the record, all pods of the node count.
   */
  private List<WorkerPod> podsOfDrain() {
    if (!request.says(Reason.DeletingPods) || request.pods().isEmpty()) {
      return sight.pods();
    }
    Set<String> recorded = request.pods().stream().map(DrainedPod::uid).collect(Collectors.toSet());
    return sight.pods().stream().filter(pod -> recorded.contains(pod.uid())).toList();
  }

  private SlinkyStep complete() {
    if (!sight.listed()) {
      return new SlinkyStep.ListPods();
    }
    List<DrainedPod> pods = DrainedPods.updated(request.pods(), sight.pods(), now);
    DrainAnswer answer =
        request.says(Reason.DeletingPods)
            ? new DrainAnswer(
                Reason.DrainComplete,
                pods.size() == 1 ? "its pod is gone" : "all its pods are gone",
                pods,
                0,
                Eta.UNKNOWN)
            : new DrainAnswer(
                Reason.NoPods,
                "no Slurm worker runs on node " + request.spec().nodeName(),
                pods,
                0,
                Eta.UNKNOWN);
    return new SlinkyStep.Answer(answer, Instant.MAX);
  }

  private SlinkyStep next(List<PodLook> looks) {
    List<PodLook> present = looks.stream().filter(look -> !look.pod().terminating()).toList();
    boolean begun = request.says(Reason.DeletingPods);
    List<PodLook> ready = present.stream().filter(PodLook::mayGo).toList();
    boolean open = begun ? !ready.isEmpty() : ready.size() == present.size();
    if (open && sight.stopped().isPresent()) {
      return waiting(held(Reason.Stopped), sight.stopped().get(), looks);
    }
    if (open && !begun) {
      return record(looks);
    }
    if (open) {
      return new SlinkyStep.Delete(ready);
    }
    boolean slurm = !present.isEmpty();
    return waiting(
        held(Reason.WaitingForSlurm),
        (slurm ? "waiting for Slurm: " : "waiting for pods to stop: ")
            + NameLists.sentences(
                looks.stream().filter(look -> !slurm || !look.mayGo()).toList(), PODS_SHOWN),
        looks);
  }

  /** The reason says that deleting has begun as long as that is so. */
  private Reason held(Reason otherwise) {
    return request.says(Reason.DeletingPods) ? Reason.DeletingPods : otherwise;
  }

  /** Which pods, and what was seen, is written down before the first one is deleted. */
  private SlinkyStep record(List<PodLook> looks) {
    if (!sight.listed()) {
      return new SlinkyStep.ListPods();
    }
    return new SlinkyStep.Answer(
        new DrainAnswer(
            Reason.DeletingPods,
            "Slurm has drained " + NameLists.some(looks.stream().map(PodLook::pod).toList()),
            DrainedPods.seen(looks, now),
            looks.size(),
            eta(looks)),
        now);
  }

  private SlinkyStep.Answer waiting(Reason reason, String message, List<PodLook> looks) {
    Instant again = now.plus(limits.checkInterval());
    Instant end = deadline();
    return new SlinkyStep.Answer(
        new DrainAnswer(
            reason,
            message,
            DrainedPods.updated(request.pods(), sight.pods(), now),
            looks.size(),
            eta(looks)),
        end.isAfter(now) && end.isBefore(again) ? end : again);
  }

  /** Slurm ends jobs at their time limits; then the pods have to stop. */
  private Eta eta(List<PodLook> looks) {
    List<PodLook> waiting =
        looks.stream().filter(look -> !look.mayGo() && !look.pod().terminating()).toList();
    if (looks.isEmpty() || waiting.stream().anyMatch(look -> look.pod().jobsEnd().isEmpty())) {
      return Eta.UNKNOWN;
    }
    Duration jobs =
        waiting.stream()
            .flatMap(look -> look.pod().jobsEnd().stream())
            .map(end -> Duration.between(now, end))
            .filter(Duration::isPositive)
            .max(Duration::compareTo)
            .orElse(Duration.ZERO);
    return new Eta(Duration.ZERO, Optional.of(jobs.plus(GRACE)));
  }

  private Decision giveUp(List<PodLook> looks) {
    String pods = looks.isEmpty() ? "" : "; waiting for " + NameLists.sentences(looks, PODS_SHOWN);
    String node =
        sight.node().isEmpty() ? "; node " + request.spec().nodeName() + " does not exist" : "";
    return new Decision(
        new SlinkyStep.Answer(
            new DrainAnswer(
                Reason.DrainTimeout,
                "not drained after %s%s%s"
                    .formatted(GoDuration.words(limits.timeout()), pods, node),
                DrainedPods.updated(request.pods(), sight.pods(), now),
                looks.size(),
                Eta.UNKNOWN),
            Instant.MAX),
        looks);
  }
}
