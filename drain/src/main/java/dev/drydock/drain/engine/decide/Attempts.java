package dev.drydock.drain.engine.decide;

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
 */
public record Attempts(
    Map<String, Attempt> byTarget, Set<String> seen, Set<BudgetRef> busyElsewhere) {

  public Attempts {
    byTarget = Map.copyOf(byTarget);
    seen = Set.copyOf(seen);
    busyElsewhere = Set.copyOf(busyElsewhere);
  }

  public static Attempts none() {
    return new Attempts(Map.of(), Set.of(), Set.of());
  }

  public Attempts with(Attempt attempt) {
    Map<String, Attempt> all = new HashMap<>(byTarget);
    all.put(attempt.action().target(), attempt);
    return new Attempts(all, seen, busyElsewhere);
  }

  public Attempts busyElsewhere(Collection<BudgetRef> budgets) {
    return new Attempts(byTarget, seen, Set.copyOf(budgets));
  }

  Optional<Attempt> on(String target) {
    return Optional.ofNullable(byTarget.get(target));
  }
}
