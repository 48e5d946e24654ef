package dev.drydock.bench;

import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The harness's own view of a namespace's budgets: which allow a disruption, and since when. */
final class BudgetWatch extends WatchedState<PodDisruptionBudget> {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Map<String, Instant> openedFirst = new HashMap<>();
  private final Set<String> open = new HashSet<>();
  private long changes;

  BudgetWatch(KubernetesClient client, String namespace) {
    informs(client.policy().v1().podDisruptionBudget().inNamespace(namespace).inform(this));
  }

  @Override
  public void onAdd(PodDisruptionBudget budget) {
    Instant now = Instant.now();
    synchronized (this) {
      String name = budget.getMetadata().getName();
      if (allows(budget)) {
        open.add(name);
        openedFirst.putIfAbsent(name, now);
      } else {
        open.remove(name);
      }
      changes++;
      changed();
    }
  }

  @Override
  public void onDelete(PodDisruptionBudget budget, boolean stateUnknown) {
    // budgets exist longer than any run
  }

  private static boolean allows(PodDisruptionBudget budget) {
    return budget.getStatus() != null
        && Objects.equals(
            budget.getStatus().getObservedGeneration(), budget.getMetadata().getGeneration())
        && Objects.requireNonNullElse(budget.getStatus().getDisruptionsAllowed(), 0) > 0;
  }

  /** When each budget was first seen to allow a disruption. */
  synchronized Map<String, Instant> openedFirst() {
    return Map.copyOf(openedFirst);
  }

  /** Waits until the budget allows a disruption; returns how many changes were seen until then. */
  synchronized long awaitOpen(String name) {
    await("budget " + name + " opens", LIMIT, () -> open.contains(name));
    return changes;
  }

  /** Returns when more changes than this were seen. */
  synchronized void awaitChange(long since) {
    await("a budget changes", LIMIT, () -> changes > since);
  }
}
