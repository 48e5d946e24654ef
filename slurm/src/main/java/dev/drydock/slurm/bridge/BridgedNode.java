package dev.drydock.slurm.bridge;

import dev.drydock.contracts.nvsentinel.SlurmNames;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Latest;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import dev.drydock.kube.StepObjects;
import dev.drydock.slurm.bridge.decide.SlurmChange;
import dev.drydock.slurm.bridge.decide.SlurmChangeDecider;
import dev.drydock.slurm.bridge.decide.SlurmView;
import dev.drydock.slurm.bridge.decide.WorkerConditions;
import dev.drydock.slurm.worker.PodConditions;
import dev.drydock.slurm.worker.WorkerNodeObject;
import dev.drydock.slurm.worker.WorkerPodObject;
import dev.drydock.slurm.worker.decide.WorkerNode;
import dev.drydock.slurm.worker.decide.WorkerNode.DrainRecord;
import dev.drydock.slurm.worker.decide.WorkerPod.SlurmCondition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reconciles one Node and its workers with Slurm, on every change and after each look at Slurm. */
final class BridgedNode implements ControlLoops.Reconciler {
  private static final Logger LOG = LoggerFactory.getLogger(BridgedNode.class);

  /**
   * Said before Slurm may give the worker jobs: whoever drains it next must not believe the old.
   */
  private static final Map<String, SlurmCondition> RESUMING =
      Map.of(
          SlurmNames.DRAIN,
          new SlurmCondition("Unknown", "Resuming", "given back to Slurm; not looked at since"));

  private final SlurmBridge.Setting setting;
  private final String name;
  private final PodConditions conditions;
  private final StepObjects turns;
  private final Latest<WorkerNodeObject> nodes = new Latest<>();
  private final Latest<WorkerPodObject> pods = new Latest<>();

  /** The last look that had begun when Slurm was changed here: up to it, none says anything. */
  private long outdated = -1;

  BridgedNode(SlurmBridge.Setting setting, String name) {
    this.setting = setting;
    this.name = name;
    conditions = new PodConditions(setting.kube());
    turns = setting.kube().stepObjects("slurm-node");
  }

  @Override
  public Optional<Instant> step() {
    if (setting.workers().unknown().isPresent()) {
      return Optional.of(Instant.MAX); // the watch wakes this loop when it knows
    }
    Optional<WorkerNodeObject> node = setting.workers().node(name).map(nodes::of);
    List<WorkerPodObject> workers = pods.of(setting.workers().podsOn(name));
    if (node.isEmpty() || (workers.isEmpty() && node.get().facts().drainRecord().isEmpty())) {
      return Optional.empty();
    }
    SlurmBridge.Look look = setting.latest();
    if (look.number() <= outdated) {
      return Optional.of(Instant.MAX); // the next look wakes this loop
    }
    SlurmView view = look.view();
    WorkerNode facts = node.get().facts();
    workers.forEach(pod -> turns.run(pod.object().toString(), () -> describe(facts, pod, view)));
    boolean[] again = new boolean[1];
    var _ = turns.run(name, () -> again[0] = change(node.get(), workers, view));
    Instant next = again[0] ? setting.kube().clock().instant() : Instant.MAX;
    return Optional.of(turns.done(next));
  }

  /** Whether there may be more to do at once. */
  private boolean change(WorkerNodeObject node, List<WorkerPodObject> workers, SlurmView view) {
    List<String> slurmNodes = workers.stream().map(pod -> pod.facts().slurmNode()).toList();
    SlurmChange change =
        SlurmChangeDecider.decide(node.facts(), slurmNodes, view, setting.stopped());
    return switch (change) {
      case SlurmChange.None() -> false;
      case SlurmChange.Wait(String why) -> {
        LOG.info("node {} is not drained in Slurm: {}", name, why);
        yield false;
      }
      case SlurmChange.Announce(DrainRecord drain) -> {
        record(node, WorkerNodeObject.text(drain));
        yield true;
      }
      case SlurmChange.Drain(List<String> open, String reason) -> {
        change("drain", () -> open.forEach(each -> setting.slurm().drain(each, reason)));
        LOG.info("node {}: drained in Slurm as {}: {}", name, open, reason);
        yield false;
      }
      case SlurmChange.Resume(List<String> ours) -> {
        workers.stream()
            .filter(pod -> ours.contains(pod.facts().slurmNode()))
            .filter(pod -> pod.facts().is(SlurmNames.DRAIN))
            .forEach(pod -> describe(pod, RESUMING));
        change("resume", () -> ours.forEach(setting.slurm()::resume));
        LOG.info("node {}: resumed in Slurm as {}", name, ours);
        yield false;
      }
      case SlurmChange.Forget() -> {
        record(node, null);
        yield false;
      }
    };
  }

  /** Also a change that failed may have been made. */
  private void change(String what, Runnable inSlurm) {
    try {
      inSlurm.run();
    } finally {
      outdated = setting.asked();
    }
    setting.changed(what);
  }

  private void record(WorkerNodeObject node, @Nullable String drain) {
    nodes.wrote(
        WorkerNodeObject.read(
            Patch.ifUnchanged(Resource.NODES, node.object())
                .annotation(WorkerNodeObject.DRAIN_RECORD, drain)
                .send(setting.kube().http())));
  }

  /** Writes what Slurm says about a worker to its pod. */
  private void describe(WorkerNode node, WorkerPodObject worker, SlurmView view) {
    WorkerPodObject pod = worker;
    if (view instanceof SlurmView.Seen seen) {
      Optional<Instant> end = Optional.ofNullable(seen.jobsEnd().get(pod.facts().slurmNode()));
      if (!end.equals(pod.facts().jobsEnd())) {
        pod =
            pods.wrote(
                WorkerPodObject.read(
                    Patch.sameUid(Resource.PODS, pod.object())
                        .annotation(
                            CampaignNames.SLINKY_POD_DEADLINE,
                            end.map(Instant::toString).orElse(null))
                        .send(setting.kube().http())));
      }
    }
    Map<String, SlurmCondition> changes = WorkerConditions.changes(node, pod.facts(), view);
    if (!changes.isEmpty()) {
      describe(pod, changes);
    }
  }

  private void describe(WorkerPodObject pod, Map<String, SlurmCondition> changes) {
    var _ = pods.wrote(conditions.write(pod, changes));
    LOG.info("pod {}: {}", pod.object(), changes);
  }

  @Override
  public void close() {
    turns.close();
  }
}
