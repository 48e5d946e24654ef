package dev.drydock.drain.decide;

import java.util.Comparator;

/** A pod's place in the order. A tier starts when every pod of the tiers before it is gone. */
public record Tier(boolean daemonSets, int rule, int priority) implements Comparable<Tier> {
  private static final Comparator<Tier> ORDER =
      Comparator.comparing(Tier::daemonSets)
          .thenComparingInt(Tier::rule)
          .thenComparingInt(Tier::priority);

  @Override
  public int compareTo(Tier other) {
    return ORDER.compare(this, other);
  }
}
