package dev.drydock.health.metrics;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Keeps the series of a metric few whose labels come from events: whoever sends those could make
 * new ones without end. Thread-safe.
 */
public final class SeriesBound {
  /** The value of labels beyond the bound. */
  public static final String OTHER = "other";

  private final int most;
  private final Set<List<String>> known = new HashSet<>();

  public SeriesBound(int most) {
    this.most = most;
  }

  /** The values as they are, or {@link #OTHER} for each if there are too many already. */
  public synchronized List<String> values(String... values) {
    List<String> wanted = List.of(values);
    return known.contains(wanted) || (known.size() < most && known.add(wanted))
        ? wanted
        : wanted.stream().map(_ -> OTHER).toList();
  }
}
