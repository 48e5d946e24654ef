package dev.drydock.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.engine.BudgetReader;
import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.BudgetFacts;
import dev.drydock.drain.engine.decide.BudgetRef;
import dev.drydock.drain.engine.decide.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** How budgets were used: the lowest number of healthy pods, and how long they allowed nothing. */
final class BudgetUse {
  /**
   * The use of one budget.
   *
   * @param pods the expected pods; while one stops and its replacement starts, more are counted
   * @param needed the desired healthy pods when the fewest were healthy
   * @param evictions granted evictions
   * @param nodesHeldUp nodes whose drains waited for it
   * @param atZero how long it allowed no disruption
   * @param below how long fewer pods were healthy than desired, which evictions never cause
   */
  record Use(
      BudgetRef budget,
      int pods,
      int needed,
      int lowest,
      int evictions,
      int nodesHeldUp,
      Duration atZero,
      Duration below) {}

  private static final class Account {
    private final int pods;
    private BudgetFacts now;
    private Instant since;
    private BudgetFacts lowest;
    private int evictions;
    private final Set<String> heldUp = new HashSet<>();
    private Duration atZero = Duration.ZERO;
    private Duration below = Duration.ZERO;

    Account(BudgetFacts facts, Instant time) {
      pods = facts.expectedPods();
      now = facts;
      since = time;
      lowest = facts;
    }

    void pass(Instant time) {
      Duration passed = Duration.between(since, time);
      // values between two changes at the same instant were never visible
      if (passed.isPositive() && margin(now) < margin(lowest)) {
        lowest = now;
      }
      if (now.disruptionsAllowed() == 0) {
        atZero = atZero.plus(passed);
      }
      if (now.currentHealthy() < now.desiredHealthy()) {
        below = below.plus(passed);
      }
      since = time;
    }

    void become(BudgetFacts facts, Instant time) {
      pass(time);
      now = facts;
    }

    private static int margin(BudgetFacts facts) {
      return facts.currentHealthy() - facts.desiredHealthy();
    }
  }

  private final VirtualCluster cluster;
  private final Map<BudgetRef, Account> accounts = new TreeMap<>();

  BudgetUse(VirtualCluster cluster) {
    this.cluster = cluster;
    cluster.onBudget(this::changed);
  }

  private void changed(Optional<JsonNode> before, Optional<JsonNode> after) {
    after
        .map(BudgetReader::read)
        .ifPresent(
            facts -> {
              Account account = accounts.get(facts.ref());
              if (account == null) {
                accounts.put(facts.ref(), new Account(facts, cluster.now()));
              } else {
                account.become(facts, cluster.now());
              }
            });
  }

  /** Starts counting when the fleet is up. */
  void begin() {
    accounts.replaceAll((_, account) -> new Account(account.now, cluster.now()));
  }

  void evicted(BudgetRef budget) {
    Account account = accounts.get(budget);
    if (account != null) {
      account.evictions++;
    }
  }

  /** Records that a drain waits for the objects with these names. */
  void holdsUp(String node, Decision decision) {
    for (Blocker blocker : decision.blockers()) {
      if (blocker.reason() == BlockReason.DISRUPTION_BUDGET
          || blocker.reason() == BlockReason.SEVERAL_BUDGETS) {
        for (String name : blocker.names()) {
          int slash = name.indexOf('/');
          Account account =
              accounts.get(new BudgetRef(name.substring(0, slash), name.substring(slash + 1)));
          if (account != null) {
            account.heldUp.add(node);
          }
        }
      }
    }
  }

  /** The use up to this time, after which nothing changed. */
  List<Use> until(Instant end) {
    return accounts.entrySet().stream()
        .map(
            entry -> {
              Account account = entry.getValue();
              if (end.isAfter(account.since)) {
                account.pass(end);
              }
              return new Use(
                  entry.getKey(),
                  account.pods,
                  account.lowest.desiredHealthy(),
                  account.lowest.currentHealthy(),
                  account.evictions,
                  account.heldUp.size(),
                  account.atZero,
                  account.below);
            })
        .toList();
  }
}
