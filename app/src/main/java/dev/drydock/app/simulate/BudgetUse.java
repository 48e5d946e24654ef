package dev.drydock.app.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.decide.BudgetFacts;
import dev.drydock.drain.decide.BudgetRef;
import dev.drydock.drain.kube.KubeFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How budgets were used: how low their pods came, and how long nothing more could go. */
final class BudgetUse {
  /**
   * Of one budget.
   *
   * @param needed healthy pods that it asked for when fewest were healthy
   * @param evictions granted
   * @param atZero how long it allowed nothing
   * @param below how long fewer were healthy than it asks for, which evictions never cause
   */
  record Use(
      BudgetRef budget,
      int pods,
      int needed,
      int lowest,
      int evictions,
      Duration atZero,
      Duration below) {
    boolean wasTouched() {
      return evictions > 0 || lowest < pods || !below.isZero();
    }
  }

  private static final class Account {
    private BudgetFacts now;
    private Instant since;
    private BudgetFacts lowest;
    private int evictions;
    private Duration atZero = Duration.ZERO;
    private Duration below = Duration.ZERO;

    Account(BudgetFacts facts, Instant time) {
      now = facts;
      since = time;
      lowest = facts;
    }

    void pass(Instant time) {
      Duration passed = Duration.between(since, time);
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
      if (margin(facts) < margin(lowest)) {
        lowest = facts;
      }
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
        .map(KubeFacts::budget)
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

  /** What was before does not count: only now is the fleet up. */
  void begin() {
    accounts.replaceAll((_, account) -> new Account(account.now, cluster.now()));
  }

  void evicted(BudgetRef budget) {
    Account account = accounts.get(budget);
    if (account != null) {
      account.evictions++;
    }
  }

  /** As it was then, after which nothing changed. */
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
                  account.lowest.expectedPods(),
                  account.lowest.desiredHealthy(),
                  account.lowest.currentHealthy(),
                  account.evictions,
                  account.atZero,
                  account.below);
            })
        .toList();
  }
}
