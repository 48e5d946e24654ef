package dev.drydock.bench;

import java.util.Collection;
import java.util.List;

/** Figures about a few or many measurements. */
final class Statistics {
  private Statistics() {}

  static double median(Collection<Double> values) {
    List<Double> sorted = sorted(values);
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  /** The smallest value that at least that part of all values does not exceed. */
  static double percentile(Collection<Double> values, double part) {
    List<Double> sorted = sorted(values);
    return sorted.get(Math.max(0, (int) Math.ceil(part * sorted.size()) - 1));
  }

  /** From the smallest to the largest, as a part of the median. */
  static double spread(Collection<Double> values) {
    List<Double> sorted = sorted(values);
    return (sorted.getLast() - sorted.getFirst()) / median(values);
  }

  private static List<Double> sorted(Collection<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("no values");
    }
    return values.stream().sorted().toList();
  }
}
