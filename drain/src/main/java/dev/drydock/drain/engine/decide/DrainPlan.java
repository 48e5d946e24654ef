package dev.drydock.drain.engine.decide;

import java.util.List;

/**
 * What a drain would do, as things are. Nothing is touched to find out.
 *
 * @param blockers what holds the drain up for a while, or may
 * @param impossible what makes it impossible until a person changes something
 * @param warnings in kubectl's words
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

  /** One pod of the node, going or not. */
  public record PodPlan(PodRef pod, Verdict verdict, EvictionMode mode, List<BudgetRef> budgets) {}

  /**
   * Pods that may go as soon as the tiers before are gone.
   *
   * @param waves those of a wave go together; the next waits for healthy replacements
   * @param waiting those that finish by themselves or have time left
   * @param cannot those that never go as things are
   */
  public record TierPlan(
      DrainTier tier, List<List<PodRef>> waves, List<PodRef> waiting, List<PodRef> cannot) {}

  /** One kind of harm that force does, with a line for a person. */
  public record ForceEffect(Harm harm, List<PodRef> pods, String line) {}

  /** What is lost when everything is overridden. */
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

  /** False if the node can never drain as things are. */
  public boolean possible() {
    return impossible.isEmpty();
  }
}
