package dev.drydock.kube;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The health of one watch.
 *
 * @param required whether the process is ready only while it is in sync
 * @param unsynced why it is not in sync
 * @param unreadable skipped objects, by namespace and name, with the error
 * @param reduced groups, usually namespaces, with objects of which not all is kept
 */
public record WatchHealth(
    Source source,
    boolean required,
    Optional<String> unsynced,
    Map<String, String> unreadable,
    Set<String> reduced)
    implements Comparable<WatchHealth> {
  private static final Comparator<WatchHealth> ORDER =
      Comparator.comparing(health -> health.source().toString());

  @Override
  public int compareTo(WatchHealth other) {
    return ORDER.compare(this, other);
  }
}
