package dev.drydock.drain.engine.decide;

import java.util.Comparator;

/** A PodDisruptionBudget by namespace and name. */
public record BudgetRef(String namespace, String name) implements Comparable<BudgetRef> {
  private static final Comparator<BudgetRef> ORDER =
      Comparator.comparing(BudgetRef::namespace).thenComparing(BudgetRef::name);

  @Override
  public int compareTo(BudgetRef other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
