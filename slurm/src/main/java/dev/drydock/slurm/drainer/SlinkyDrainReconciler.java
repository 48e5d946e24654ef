package dev.drydock.slurm.drainer;

import dev.drydock.contracts.nvsentinel.SlurmNames;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Delete;
import dev.drydock.kube.EventRecorder.Occurrence;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.Latest;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import dev.drydock.slurm.drainer.SlinkyRequestObject.RequestKey;
import dev.drydock.slurm.drainer.decide.DrainAnswer;
import dev.drydock.slurm.drainer.decide.DrainAnswer.Reason;
import dev.drydock.slurm.drainer.decide.PodLook;
import dev.drydock.slurm.drainer.decide.SlinkyDrainDecider;
import dev.drydock.slurm.drainer.decide.SlinkyStep;
import dev.drydock.slurm.worker.WorkerNodeObject;
import dev.drydock.slurm.worker.WorkerPodObject;
import dev.drydock.slurm.worker.decide.WorkerPod;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reconciles one DrainRequest on every change of it, its node or its pods, until it is gone. */
final class SlinkyDrainReconciler implements ControlLoops.Reconciler {
  private static final Logger LOG = LoggerFactory.getLogger(SlinkyDrainReconciler.class);

  private static final Occurrence ANNOTATED = new Occurrence(false, "NodeAnnotated", "Drain");
  private static final Occurrence SLURM_DRAINED = new Occurrence(false, "SlurmDrained", "Delete");
  private static final Occurrence COMPLETE = new Occurrence(false, "DrainComplete", "Drain");
  private static final Occurrence NO_PODS = new Occurrence(true, "NoPods", "Drain");
  private static final Occurrence TIMEOUT = new Occurrence(true, "DrainTimeout", "Drain");
  private static final Occurrence RELEASED = new Occurrence(false, "NodeReleased", "Release");

  private final SlinkyDrainController.Setting setting;
  private final RequestKey key;
  private final SlinkyRequestWriter writer;
  private final Latest<SlinkyRequestObject> requests = new Latest<>();
  private final Latest<WorkerNodeObject> nodes = new Latest<>();

  /** UIDs of pods whose deletion was accepted; the watch may not show it yet. */
  private final Set<String> deleted = new HashSet<>();

  /** UIDs of pods about which an Event was written. */
  private final Set<String> told = new HashSet<>();

  private @Nullable DrainAnswer written;

  /** The generation that it was written for. */
  private long writtenFor;

  SlinkyDrainReconciler(SlinkyDrainController.Setting setting, RequestKey key) {
    this.setting = setting;
    this.key = key;
    writer = new SlinkyRequestWriter(setting.kube());
  }

  private Kube kube() {
    return setting.kube();
  }

  @Override
  public Optional<Instant> step() {
    List<SlinkyRequestObject> onNode = requests.of(setting.requestsFor(key.node()));
    Optional<SlinkyRequestObject> found =
        onNode.stream().filter(each -> each.key().equals(key)).findFirst();
    if (found.isEmpty()) {
      return setting.isKnown() ? Optional.empty() : Optional.of(Instant.MAX);
    }
    Optional<String> unknown = setting.workers().unknown();
    if (unknown.isPresent()) {
      // readiness says so, too; the watch wakes this loop when it knows
      LOG.info("DrainRequest {} waits: {}", key, unknown.get());
      return Optional.of(Instant.MAX);
    }
    SlinkyRequestObject request = found.get();
    boolean others = needsNode(onNode);
    if (others && !request.facts().isActive() && request.facts().claimed()) {
      // Two that end together must not leave the annotation to each other.
      others = needsNode(setting.requestsNow(key.node()));
    }
    return Optional.of(act(request, others));
  }

  /** Whether a request besides this one wants the node drained. */
  private boolean needsNode(List<SlinkyRequestObject> onNode) {
    return onNode.stream()
        .filter(each -> !each.key().equals(key))
        .anyMatch(each -> each.facts().isActive());
  }

  private Instant act(SlinkyRequestObject request, boolean others) {
    return act(request, others, setting.workers().podsOn(key.node()), false);
  }

  /**
   * @param listed whether the pods were just listed
   */
  private Instant act(
      SlinkyRequestObject request, boolean others, List<WorkerPodObject> there, boolean listed) {
    Optional<WorkerNodeObject> node = setting.workers().node(key.node()).map(nodes::of);
    Map<String, WorkerPodObject> pods = new HashMap<>();
    there.forEach(pod -> pods.put(pod.uid(), pod));
    deleted.retainAll(pods.keySet());
    told.retainAll(pods.keySet());
    List<WorkerPod> facts =
        there.stream()
            .map(WorkerPodObject::facts)
            .map(pod -> deleted.contains(pod.uid()) ? pod.deleted() : pod)
            .toList();
    SlinkyDrainDecider.Decision decision =
        SlinkyDrainDecider.decide(
            request.facts(),
            new SlinkyDrainDecider.Sight(
                node.map(WorkerNodeObject::facts), facts, listed, others, setting.stopped()),
            setting.limits(),
            kube().clock().instant());
    log(request, decision.looks());
    return switch (decision.step()) {
      case SlinkyStep.Leave() -> Instant.MAX;
      case SlinkyStep.ListPods() -> act(request, others, setting.workersNow(key.node()), true);
      case SlinkyStep.Claim() -> {
        requests.wrote(writer.claim(request));
        LOG.info("serving DrainRequest {} for node {}", request, key.node());
        yield now();
      }
      case SlinkyStep.Cordon(String reason) -> {
        annotate(node.orElseThrow(), reason);
        event(
            request,
            ANNOTATED,
            "%s: %s=%s".formatted(key.node(), SlurmNames.CORDON_REASON, reason));
        yield now();
      }
      case SlinkyStep.Answer(DrainAnswer answer, Instant until) -> answer(request, answer, until);
      case SlinkyStep.Delete(List<PodLook> ready) -> {
        delete(request, ready, pods);
        yield now();
      }
      case SlinkyStep.Uncordon() -> {
        annotate(node.orElseThrow(), null);
        event(request, RELEASED, "%s: %s removed".formatted(key.node(), SlurmNames.CORDON_REASON));
        yield now();
      }
      case SlinkyStep.Unclaim() -> {
        writer.unclaim(request);
        LOG.info("DrainRequest {}: node {} is released", request, key.node());
        yield Instant.MAX;
      }
    };
  }

  private Instant now() {
    return kube().clock().instant();
  }

  /** People search logs for the first word. */
  private void log(SlinkyRequestObject request, List<PodLook> looks) {
    if (!looks.isEmpty()) {
      LOG.info("checkPodsReadyForDrain DrainRequest={} node={} {}", request, key.node(), looks);
    }
  }

  private void annotate(WorkerNodeObject node, @Nullable String reason) {
    nodes.wrote(
        WorkerNodeObject.read(
            Patch.ifUnchanged(Resource.NODES, node.object())
                .annotation(SlurmNames.CORDON_REASON, reason)
                .send(kube().http())));
    LOG.info(
        "node {}: {}{}",
        key.node(),
        SlurmNames.CORDON_REASON,
        reason == null ? " removed" : "=" + reason);
  }

  private Instant answer(SlinkyRequestObject request, DrainAnswer answer, Instant until) {
    DrainAnswer before = written;
    long generation = request.object().generation();
    if (before == null || writtenFor != generation || !before.isLike(answer)) {
      tell(request, answer);
      requests.wrote(writer.answer(request, answer));
      written = answer;
      writtenFor = generation;
      LOG.info("DrainRequest {}: {}: {}", request, answer.reason(), answer.message());
    }
    return answer.reason().isComplete() ? now() : until;
  }

  /** Before the answer, which is the end: an Event that is told twice is better than none. */
  private void tell(SlinkyRequestObject request, DrainAnswer answer) {
    switch (answer.reason()) {
      case DrainComplete -> event(request, COMPLETE, answer.message());
      case NoPods ->
          event(request, NO_PODS, answer.message() + ", so there was nothing to ask Slurm about");
      case DrainTimeout -> event(request, TIMEOUT, answer.message());
      case WaitingForSlurm, DeletingPods, NodeNotFound, Stopped -> {}
    }
    if (answer.reason().isComplete() || answer.reason() == Reason.DrainTimeout) {
      setting.ended(answer.reason());
    }
  }

  /** One that cannot be deleted does not hold up the others. */
  private void delete(
      SlinkyRequestObject request, List<PodLook> ready, Map<String, WorkerPodObject> pods) {
    Optional<ApiFailure> failure =
        ready.stream()
            .map(look -> delete(request, look, pods.get(look.pod().uid())))
            .flatMap(Optional::stream)
            .reduce((first, _) -> first);
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  /** Only the pod that was seen, and only as it was seen: Slurm may have given it a job since. */
  private Optional<ApiFailure> delete(
      SlinkyRequestObject request, PodLook look, @Nullable WorkerPodObject pod) {
    if (pod == null) {
      return Optional.empty();
    }
    if (told.add(pod.uid())) {
      event(request, SLURM_DRAINED, look.seen());
    }
    KubeAnswer answer =
        kube()
            .http()
            .send(
                Delete.ifUnchanged(Resource.PODS, pod.object())
                    .grace(SlinkyDrainDecider.GRACE)
                    .call());
    if (!answer.ok() && answer.code() != HttpURLConnection.HTTP_NOT_FOUND) {
      return Optional.of(
          new ApiFailure(answer.code(), "pod " + look.pod() + ": " + answer.message()));
    }
    deleted.add(pod.uid());
    LOG.info("DrainRequest {}: pod {} is deleted", request, look.pod());
    return Optional.empty();
  }

  private void event(SlinkyRequestObject request, Occurrence occurrence, String note) {
    kube()
        .events()
        .record(request.object().regarding(SlinkyRequestObject.RESOURCE), occurrence, note);
  }
}
