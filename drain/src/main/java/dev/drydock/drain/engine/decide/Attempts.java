package dev.drydock.drain.engine.decide;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The requests of one node's drain that are in flight, and the last answers. Losing it in a crash
 * costs at most a repeated request, which is harmless.
 *
 * @param byTarget the last attempt per {@link Action#target}
 * @param seen UIDs of all pods that ever had to leave, to count those that are gone
 * @param busyElsewhere budgets for which another node's drain has an eviction in flight
 * @param evictedSinceStart by owner's UID, how many pods were evicted that it had put on the node
 *     since the drain began
 */
public record Attempts(
    Map<String, Attempt> byTarget,
    Set<String> seen,
    Set<BudgetRef> busyElsewhere,
    Map<String, Integer> evictedSinceStart) {
  /**
   * So often a pod is evicted that came after the drain began. An owner that goes on, because its
   * pods tolerate the cordon, would otherwise keep the drain busy for ever.
   */
  private static final int MOST_RETURNS = 3;

  public Attempts {
    byTarget = Map.copyOf(byTarget);
    seen = Set.copyOf(seen);
    busyElsewhere = Set.copyOf(busyElsewhere);
    evictedSinceStart = Map.copyOf(evictedSinceStart);
  }

  public static Attempts none() {
    return new Attempts(Map.of(), Set.of(), Set.of(), Map.of());
  }

  public Attempts with(Attempt attempt) {
    Map<String, Attempt> all = new HashMap<>(byTarget);
    all.put(attempt.action().target(), attempt);
    return new Attempts(all, seen, busyElsewhere, evictedSinceStart);
  }

  public Attempts busyElsewhere(Collection<BudgetRef> budgets) {
    return new Attempts(byTarget, seen, Set.copyOf(budgets), evictedSinceStart);
  }

  /** Whether its owner puts replacements on the node however often they are evicted. */
  boolean keepsReturning(PodFacts pod, Instant startedAt) {
    return !pod.finished()
        && pod.ownerSince(startedAt)
            .filter(owner -> !owner.isDaemonSet())
            .filter(owner -> evictedSinceStart.getOrDefault(owner.uid(), 0) >= MOST_RETURNS)
            .isPresent();
  }

  Optional<Attempt> on(String target) {
    return Optional.ofNullable(byTarget.get(target));
  }
}
