package dev.drydock.drain.kube;

import dev.drydock.drain.decide.BudgetFacts;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Watch;
import dev.drydock.kube.time.TimeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The budgets that matter to the runs of one engine: one watch per namespace that any of them has
 * pods in, shared, and ended with the last run that needs it. Above a handful of namespaces one
 * watch of all budgets is cheaper than a request and a stream for each: budgets are small and few.
 */
final class BudgetWatches {
  static final int HANDFUL = 5;
  private static final String ALL = "";

  private final KubeHttp http;
  private final Backoff backoff;
  private final Map<String, Shared> byNamespace = new HashMap<>();

  /** Whoever wants to know; {@code before} and {@code after} are null for new and deleted ones. */
  interface Subscriber {
    void budgetChanged(@Nullable BudgetFacts before, @Nullable BudgetFacts after);

    void wake();
  }

  /** What is known for a run, and what is not. */
  record Known(List<BudgetFacts> budgets, List<String> unknown) {}

  BudgetWatches(KubeHttp http, Backoff backoff) {
    this.http = http;
    this.backoff = backoff;
  }

  /** The budgets of these namespaces; watches them from now on until {@link #leave}. */
  synchronized Known of(Set<String> namespaces, Subscriber subscriber) {
    Set<String> keys = new HashSet<>(namespaces);
    keys.retainAll(byNamespace.keySet());
    if (keys.size() < namespaces.size()) {
      int watches = byNamespace.size() + namespaces.size() - keys.size();
      boolean all = byNamespace.containsKey(ALL) || watches > HANDFUL;
      keys.addAll(all ? Set.of(ALL) : namespaces);
    }
    List<BudgetFacts> budgets = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (String key : keys) {
      Shared shared = byNamespace.computeIfAbsent(key, Shared::new);
      shared.subscribers.add(subscriber);
      Watch.State<BudgetFacts> state = shared.reflector.state();
      state.items().stream()
          .filter(budget -> namespaces.contains(budget.ref().namespace()))
          // of the watch of all, what no watch of its own tells
          .filter(budget -> !key.equals(ALL) || !keys.contains(budget.ref().namespace()))
          .forEach(budgets::add);
      // Whoever may evict but not read budgets still has the server's answers to go by.
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
    private final Set<Subscriber> subscribers = ConcurrentHashMap.newKeySet();
    private final Watch<BudgetFacts> reflector;

    Shared(String key) {
      reflector =
          new Kube(http, TimeSource.REAL)
              .watches()
              .of(Watch.Kind.of(DrainApiPaths.budgets(key), BudgetReader::read), this, backoff);
      reflector.start();
    }

    boolean leftBy(Subscriber subscriber) {
      subscribers.remove(subscriber);
      if (subscribers.isEmpty()) {
        reflector.close();
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
