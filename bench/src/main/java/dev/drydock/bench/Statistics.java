package dev.drydock.bench;

import java.util.Collection;
import java.util.List;

/** Statistics over measurements. */
final class Statistics {
  private Statistics() {}

  static double median(Collection<Double> values) {
    List<Double> sorted = sorted(values);
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  /** The smallest value that is not exceeded by at least this fraction of all values. */
  static double percentile(Collection<Double> values, double part) {
    List<Double> sorted = sorted(values);
    return sorted.get(Math.max(0, (int) Math.ceil(part * sorted.size()) - 1));
  }

  /** The range from smallest to largest, as a fraction of the median. */
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
