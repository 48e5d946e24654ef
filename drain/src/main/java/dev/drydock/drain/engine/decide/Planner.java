package dev.drydock.drain.engine.decide;

import dev.drydock.drain.engine.decide.DrainPlan.PodPlan;
import dev.drydock.drain.engine.decide.DrainPlan.TierPlan;
import dev.drydock.drain.engine.decide.DrainPolicy.AtDeadline;
import dev.drydock.drain.engine.decide.PodVerdicts.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Computes what a drain that starts now would do. */
public final class Planner {
  private final Observation seen;
  private final DrainPolicy policy;
  private final Instant now;
  private final PodVerdicts verdicts;
  private final Blocker.Collector blockers = new Blocker.Collector();
  private final Blocker.Collector impossible = new Blocker.Collector();

  private Planner(Observation seen, DrainPolicy policy, Instant now) {
    this.seen = seen;
    this.policy = policy;
    this.now = now;
    verdicts = PodVerdicts.of(seen, policy, false, now);
  }

  public static DrainPlan plan(Observation seen, DrainPolicy policy, Instant now) {
    return new Planner(seen, policy, now).plan();
  }

  private DrainPlan plan() {
    lookAtNode();
    verdicts.refused().forEach(this::addRefused);
    verdicts.going().forEach(this::lookAt);
    boolean known = seen.isComplete();
    return new DrainPlan(
        seen.node().name(),
        verdicts.all().stream().map(Planner::podPlan).toList(),
        verdicts.tiers().stream().map(this::tierPlan).toList(),
        blockers.list(),
        impossible.list(),
        verdicts.warnings(),
        new ForceCost(verdicts).effects(),
        known ? new EtaEstimate(policy, seen.stopTimes(), now, now).of(verdicts) : Eta.UNKNOWN);
  }

  private static PodPlan podPlan(Task task) {
    return new PodPlan(
        task.pod().ref(), task.verdict(), task.mode(), task.guardNames(), task.pod().finished());
  }

  private void lookAtNode() {
    if (!seen.isComplete()) {
      blockers.addUnknown(
          Stream.concat(seen.unknown().stream(), seen.unknownPods().values().stream().sorted())
              .toList());
    }
    seen.andon().ifPresent(blockers::addAndon);
    seen.node()
        .unreachableSince()
        .ifPresent(
            since ->
                blockers.addNode(
                    BlockReason.NODE_UNREACHABLE,
                    "node " + seen.node().name() + " is silent since " + since));
  }

  private void addRefused(Task task) {
    boolean ends = Blocker.reasonOf(task.pod(), task.verdict()) == BlockReason.NODE_WORK;
    (ends ? blockers : impossible).addRefused(task.pod(), task.verdict());
  }

  private void lookAt(Task task) {
    PodFacts pod = task.pod();
    if (!pod.finalizers().isEmpty()) {
      String names = String.join(", ", pod.finalizers());
      blockers.add(
          BlockReason.FINALIZER,
          pod,
          pod.finalizers(),
          "finalizer " + names + " may hold up its end");
    }
    if (pod.pinned() && pod.returnsToNode()) {
      impossible.addComesBack(pod);
    } else if (pod.returnsToNode()) {
      // A taint that its DaemonSet does not tolerate would keep it off; that is not known yet.
      blockers.addComesBack(pod);
    }
    if (waits(task)) {
      addWait(task);
    } else if (!policy.deleteInsteadOfEvict()) {
      lookAtBudgets(task);
    }
  }

  private void lookAtBudgets(Task task) {
    List<BudgetFacts> guards = task.guards();
    Blocker.Collector lasting = forcedInTheEnd() ? blockers : impossible;
    if (task.isGuess()) {
      blockers.addGuess(task.pod());
    } else if (guards.size() > 1) {
      lasting.addSeveralBudgets(task.pod(), guards);
    } else if (guards.size() == 1) {
      BudgetFacts budget = guards.getFirst();
      if (budget.neverAllows()) {
        lasting.addBudget(task.pod(), budget);
      } else if (budget.room() == 0) {
        blockers.addBudget(task.pod(), budget);
      }
    }
  }

  private boolean forcedInTheEnd() {
    return policy.forceAfter().isPresent() || policy.atDeadline() != AtDeadline.FAIL;
  }

  private void addWait(Task task) {
    if (task.mode() instanceof EvictionMode.DeleteAfter(Duration time)) {
      blockers.addToDelete(task.pod(), now.plus(time));
    } else if (task.mode() instanceof EvictionMode.DeleteAt(Instant time)) {
      blockers.addToDelete(task.pod(), time);
    } else {
      blockers.addToFinish(task.pod());
    }
  }

  private static boolean waits(Task task) {
    return !(task.mode() instanceof EvictionMode.EvictNow)
        && !task.pod().finished()
        && !task.pod().terminating();
  }

  private TierPlan tierPlan(List<Task> tier) {
    List<PodRef> waiting = new ArrayList<>();
    List<PodRef> cannot = new ArrayList<>();
    List<PodRef> atOnce = new ArrayList<>();
    List<Task> guarded = new ArrayList<>();
    for (Task task : tier) {
      PodRef pod = task.pod().ref();
      if (waits(task)) {
        waiting.add(pod);
      } else if (task.guards().isEmpty() || task.isGuess() || policy.deleteInsteadOfEvict()) {
        atOnce.add(pod);
      } else if (task.guards().size() > 1 || task.guards().getFirst().neverAllows()) {
        cannot.add(pod);
      } else {
        guarded.add(task);
      }
    }
    return new TierPlan(tier.getFirst().tier(), waves(atOnce, guarded), waiting, cannot);
  }

  private static List<List<PodRef>> waves(List<PodRef> atOnce, List<Task> guarded) {
    List<List<PodRef>> waves = new ArrayList<>();
    waves.add(atOnce);
    for (List<Task> group : Waves.byBudget(guarded)) {
      List<List<Task>> series = Waves.of(group);
      for (int i = 0; i < series.size(); i++) {
        if (i == waves.size()) {
          waves.add(new ArrayList<>());
        }
        waves.get(i).addAll(series.get(i).stream().map(task -> task.pod().ref()).toList());
      }
    }
    return waves.stream().filter(wave -> !wave.isEmpty()).map(List::copyOf).toList();
  }
}
