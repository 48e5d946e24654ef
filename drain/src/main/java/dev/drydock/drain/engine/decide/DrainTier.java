package dev.drydock.drain.engine.decide;

import java.util.Comparator;

/** A pod's place in the order. A tier starts when every pod of the previous tiers is gone. */
public record DrainTier(boolean daemonSets, int rule, int priority)
    implements Comparable<DrainTier> {
  private static final Comparator<DrainTier> ORDER =
      Comparator.comparing(DrainTier::daemonSets)
          .thenComparingInt(DrainTier::rule)
          .thenComparingInt(DrainTier::priority);

  @Override
  public int compareTo(DrainTier other) {
    return ORDER.compare(this, other);
  }
}
