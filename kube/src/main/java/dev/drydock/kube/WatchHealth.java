package dev.drydock.kube;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/**
 * The health of one watch.
 *
 * @param required whether the process is ready only while it is in sync
 * @param unsynced why it is not in sync
 * @param unreadable skipped objects, by namespace and name, with the error
 */
public record WatchHealth(
    Source source, boolean required, Optional<String> unsynced, Map<String, String> unreadable)
    implements Comparable<WatchHealth> {
  private static final Comparator<WatchHealth> ORDER =
      Comparator.comparing(health -> health.source().toString());

  @Override
  public int compareTo(WatchHealth other) {
    return ORDER.compare(this, other);
  }
}
