package dev.drydock.edge.control;

import dev.drydock.contracts.LabelSelector;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.engine.DrainListener;
import dev.drydock.drain.engine.DrainReport;
import dev.drydock.drain.engine.DrainRun;
import dev.drydock.drain.engine.DrainTask;
import dev.drydock.drain.engine.decide.Action;
import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.engine.decide.EvictionAnswer;
import dev.drydock.drain.engine.decide.PodRef;
import dev.drydock.edge.decide.EdgeDecider;
import dev.drydock.edge.decide.EdgeInput.AttemptView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** One attempt of the engine at draining the node, and what it says meanwhile. */
final class EdgeDrainAttempt implements DrainListener {
  /** Storage needs these to move its data away; they would come back at once. */
  private static final LabelSelector DRAINED =
      LabelSelector.parse(
          "app notin (csi-attacher,csi-provisioner,longhorn-admission-webhook,"
              + "longhorn-conversion-webhook,longhorn-driver-deployer)");

  private static final String INSTANCE_MANAGER = "instance-manager-";

  /**
   * What the API server says to each eviction that a budget refuses; the engine keeps the cause.
   */
  private static final String BUDGET_TEXT =
      "Cannot evict pod as it would violate the pod's disruption budget.";

  private final EdgeJournal journal;
  private final Runnable changed;
  private final DrainRun run;
  private final Map<String, String> refusals = new ConcurrentHashMap<>();
  private volatile List<Blocker> blockers = List.of();
  private volatile int remaining;
  private volatile AttemptView view = new AttemptView.Running();

  /**
   * @param deadline counted from the hold, which an earlier attempt may have placed
   */
  EdgeDrainAttempt(
      DrainEngine engine, Task task, Duration deadline, EdgeJournal journal, Runnable changed) {
    this.journal = journal;
    this.changed = changed;
    run =
        engine.start(
            DrainTask.of(task.node(), task.holder(), task.reason(), policy(task, deadline))
                .patiently(),
            this);
    var _ = run.outcome().thenAccept(this::ended);
  }

  /** What is drained. */
  record Task(String node, String holder, String reason, Duration skipWait) {}

  static DrainPolicy policy(Task task, Duration deadline) {
    return DrainPolicy.everything()
        .podSelector(DRAINED)
        .skipWait(task.skipWait())
        .deadline(deadline, DrainPolicy.AtDeadline.FAIL)
        .build();
  }

  AttemptView view() {
    return view;
  }

  int remaining() {
    return remaining;
  }

  /** What holds it up, for people. */
  List<String> waits() {
    return blockers.stream().map(Blocker::line).toList();
  }

  /** Pods of Longhorn that a budget keeps here. */
  List<String> blockedInstanceManagers() {
    return blockers.stream()
        .filter(blocker -> blocker.reason() == BlockReason.DISRUPTION_BUDGET)
        .filter(
            blocker ->
                blocker.pods().stream().anyMatch(pod -> pod.name().startsWith(INSTANCE_MANAGER)))
        .map(
            blocker ->
                "%s with budget %s"
                    .formatted(blocker.pods().getFirst(), String.join(", ", blocker.names())))
        .toList();
  }

  void cancel() {
    run.cancel();
  }

  private void ended(DrainOutcome outcome) {
    view =
        switch (outcome.end()) {
          case DONE -> new AttemptView.Done();
          case FAILED, REFUSED -> new AttemptView.Failed(outcome.message());
          case CANCELLED -> new AttemptView.CalledOff(outcome.message());
        };
    changed.run();
  }

  @Override
  public void changed(DrainReport report) {
    Decision decision = report.decision();
    remaining = decision.progress().remaining();
    List<Blocker> now =
        decision.status() == Decision.Status.DRAINING ? List.of() : decision.blockers();
    if (!now.equals(blockers)) {
      blockers = now;
      now.forEach(
          blocker ->
              journal.line(EdgeDecider.STEP + "pod-evict-progress waits: " + blocker.line()));
      changed.run();
    }
  }

  @Override
  public void gone(PodRef pod) {
    journal.line(EdgeDecider.STEP + "pod-evict-progress gone: " + pod);
  }

  /** The API server's own words, which people search for; not each time that it repeats them. */
  @Override
  public void answered(Action action, EvictionAnswer answer) {
    Optional<String> refusal =
        switch (answer) {
          case EvictionAnswer.RefusedByBudget no -> Optional.of(BUDGET_TEXT + " " + no.message());
          case EvictionAnswer.Refusal no -> Optional.of(no.message());
          case EvictionAnswer.Accepted _, EvictionAnswer.Gone _ -> Optional.empty();
        };
    refusal
        .filter(text -> !text.equals(refusals.put(action.target(), text)))
        .ifPresent(
            text ->
                journal.line(
                    "%spod-evict-err %s: %s"
                        .formatted(
                            EdgeDecider.STEP,
                            action instanceof Action.OnPod on ? on.pod() : action.target(),
                            text)));
  }
}
