package dev.drydock.drain.engine.decide;

import java.util.List;

/**
 * What a drain would do in the current state. Computing it changes nothing.
 *
 * @param blockers what delays the drain, or may
 * @param impossible what makes it impossible until a person changes something
 * @param warnings in kubectl's wording
 * @param force what overriding everything would cost
 */
public record DrainPlan(
    String node,
    List<PodPlan> pods,
    List<TierPlan> tiers,
    List<Blocker> blockers,
    List<Blocker> impossible,
    List<String> warnings,
    List<ForceEffect> force,
    Eta eta) {

  /**
   * One pod of the node, drained or not.
   *
   * @param finished whether its containers have ended, so that nothing of it runs
   */
  public record PodPlan(
      PodRef pod, Verdict verdict, EvictionMode mode, List<BudgetRef> budgets, boolean finished) {
    private boolean isLeft() {
      return !finished && (verdict.goes() || verdict.isRefused());
    }
  }

  /**
   * Pods that may leave when the previous tiers are gone.
   *
   * @param waves the pods of a wave leave together; the next wave waits for healthy replacements
   * @param waiting those that finish by themselves or have time left
   * @param cannot those that can never leave in the current state
   */
  public record TierPlan(
      DrainTier tier, List<List<PodRef>> waves, List<PodRef> waiting, List<PodRef> cannot) {}

  /** One kind of damage by force, with a line for people. */
  public record ForceEffect(Harm harm, List<PodRef> pods, String line) {}

  /** What is lost if everything is overridden. */
  public enum Harm {
    NOT_BROUGHT_BACK,
    DATA_LOST,
    BUDGET_BROKEN,
    CUT_SHORT
  }

  public DrainPlan {
    pods = List.copyOf(pods);
    tiers = List.copyOf(tiers);
    blockers = List.copyOf(blockers);
    impossible = List.copyOf(impossible);
    warnings = List.copyOf(warnings);
    force = List.copyOf(force);
  }

  /**
   * Pods that run and that a drain has to remove, by namespace and name. The node is empty when
   * there are none: what is refused counts, and finished pods hold nothing up.
   */
  public List<String> left() {
    return pods.stream().filter(PodPlan::isLeft).map(pod -> pod.pod().toString()).sorted().toList();
  }

  /** False if the node can never drain in its current state. */
  public boolean possible() {
    return impossible.isEmpty();
  }
}
