package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.BudgetFacts;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The budgets that matter to the runs of one engine: one watch per namespace that any of them has
 * pods in, shared, and ended with the last run that needs it. Above a handful of namespaces one
 * watch of all budgets is cheaper than a request and a stream for each: budgets are small and few.
 */
final class BudgetWatches {
  static final int FEW_NAMESPACES = 5;
  private static final String ALL = "";

  private final Kube kube;
  private final Map<String, Shared> byNamespace = new HashMap<>();

  /** Gets changes; {@code before} is null for new budgets and {@code after} for deleted ones. */
  interface Subscriber {
    void budgetChanged(@Nullable BudgetFacts before, @Nullable BudgetFacts after);

    void wake();
  }

  /** What is known for a run, and what is not. */
  record Known(List<BudgetFacts> budgets, List<String> unknown) {}

  BudgetWatches(Kube kube) {
    this.kube = kube;
  }

  /** The budgets of these namespaces; watches them from now on until {@link #leave}. */
  synchronized Known of(Set<String> namespaces, Subscriber subscriber) {
    Set<String> keys = new HashSet<>(namespaces);
    keys.retainAll(byNamespace.keySet());
    if (keys.size() < namespaces.size()) {
      int watches = byNamespace.size() + namespaces.size() - keys.size();
      boolean all = byNamespace.containsKey(ALL) || watches > FEW_NAMESPACES;
      keys.addAll(all ? Set.of(ALL) : namespaces);
    }
    List<BudgetFacts> budgets = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (String key : keys) {
      Shared shared = byNamespace.computeIfAbsent(key, Shared::new);
      shared.subscribers.add(subscriber);
      Watch.State<BudgetFacts> state = shared.watch.state();
      state.items().stream()
          .filter(budget -> namespaces.contains(budget.ref().namespace()))
          // from the cluster-wide watch, for namespaces without their own
          .filter(budget -> !key.equals(ALL) || !keys.contains(budget.ref().namespace()))
          .forEach(budgets::add);
      // An unreadable budget may guard any pod of its namespace.
      state
          .unreadable()
          .forEach(
              (budget, why) -> {
                if (namespaces.contains(budget.substring(0, budget.indexOf('/')))) {
                  unknown.add("the budget " + budget + " (it cannot be read: " + why + ")");
                }
              });
      // A user who may evict but not read budgets relies on the server's answers.
      if (!state.forbidden()) {
        state
            .unsynced()
            .ifPresent(why -> unknown.add("the budgets " + where(key) + " (" + why + ")"));
      }
    }
    return new Known(budgets, unknown);
  }

  synchronized void leave(Subscriber subscriber) {
    byNamespace.values().removeIf(shared -> shared.leftBy(subscriber));
  }

  private static String where(String key) {
    return key.equals(ALL) ? "of all namespaces" : "of namespace " + key;
  }

  private final class Shared implements Watch.Listener<BudgetFacts> {
    // In order, so that the same events in virtual time always lead to the same run.
    private final Set<Subscriber> subscribers = Collections.synchronizedSet(new LinkedHashSet<>());
    private final Watch<BudgetFacts> watch;

    Shared(String key) {
      watch =
          kube.watches()
              .of(
                  Watch.Kind.of(Resource.BUDGETS.in(key), BudgetReader::read)
                      .groupedBy(budget -> budget.ref().namespace())
                      .bounded(BudgetReader.BOUND)
                      .optional(),
                  this);
      watch.start();
    }

    boolean leftBy(Subscriber subscriber) {
      subscribers.remove(subscriber);
      if (subscribers.isEmpty()) {
        watch.close();
        return true;
      }
      return false;
    }

    @Override
    public void changed(@Nullable BudgetFacts before, @Nullable BudgetFacts after) {
      subscribers.forEach(subscriber -> subscriber.budgetChanged(before, after));
    }

    @Override
    public void refreshed() {
      subscribers.forEach(Subscriber::wake);
    }
  }
}
