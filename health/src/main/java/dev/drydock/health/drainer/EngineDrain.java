package dev.drydock.health.drainer;

import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.engine.DrainListener;
import dev.drydock.drain.engine.DrainReport;
import dev.drydock.drain.engine.DrainRun;
import dev.drydock.drain.engine.DrainTask;
import dev.drydock.drain.engine.decide.Action;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.engine.decide.EvictionAnswer;
import dev.drydock.drain.hold.decide.EarlierDrain;
import dev.drydock.health.drainer.decide.DrainGoal;
import dev.drydock.health.drainer.decide.DrainRules;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A drain by the engine, for some events of a node. */
final class EngineDrain implements DrainListener {
  private final String node;
  private final DrainGoal goal;
  private final NodeDrainerMetrics metrics;
  private final Runnable wake;
  private final DrainRun run;
  private volatile @Nullable Decision last;

  /**
   * @param continued whether an earlier process may have begun it
   */
  EngineDrain(
      String node, DrainGoal goal, boolean continued, NodeDrainerContext context, Runnable wake) {
    this.node = node;
    this.goal = goal;
    this.wake = wake;
    metrics = context.metrics();
    DrainRules rules = context.config().rules();
    DrainTask task =
        DrainTask.of(
                node,
                NodeDrainerNames.holder(goal.scope()),
                "drain for health event %s (%s)"
                    .formatted(goal.owner().id(), goal.owner().checkName()),
                rules.policy(goal))
            .ownedBy(goal.episode())
            .after(continued ? EarlierDrain.BEGUN : EarlierDrain.NONE)
            .patiently();
    DrainEngine engine = context.engine();
    run = engine.start(task, this);
    var _ = run.outcome().thenRun(wake);
  }

  DrainGoal goal() {
    return goal;
  }

  Optional<Decision> last() {
    return Optional.ofNullable(last);
  }

  Optional<DrainOutcome> outcome() {
    return Optional.ofNullable(run.outcome().getNow(null));
  }

  /** Whether it has ended; otherwise its end wakes the loop. */
  boolean cancel() {
    if (!run.outcome().isDone()) {
      run.cancel();
    }
    return run.outcome().isDone();
  }

  @Override
  public void changed(DrainReport report) {
    last = report.decision();
    wake.run();
  }

  @Override
  public void answered(Action action, EvictionAnswer answer) {
    if (answer instanceof EvictionAnswer.RefusedByBudget) {
      metrics.failed(node, "PDB_blocking_eviction_error");
    }
    if (answer instanceof EvictionAnswer.Accepted
        && action instanceof Action.Delete delete
        && delete.why() == Action.Why.DELETE_AFTER) {
      metrics.forceDeleted(node, delete.pod().namespace());
    }
  }
}
