package dev.drydock.kube;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/**
 * How one watch is doing.
 *
 * @param required whether the process is ready only while it is up to date
 * @param unsynced why it is not up to date
 * @param unreadable objects that were skipped, by namespace and name, and why
 * @param unreadableTotal how often an object was skipped
 */
public record WatchHealth(
    Source source,
    boolean required,
    Optional<String> unsynced,
    Map<String, String> unreadable,
    long unreadableTotal)
    implements Comparable<WatchHealth> {
  private static final Comparator<WatchHealth> ORDER =
      Comparator.comparing(health -> health.source().toString());

  @Override
  public int compareTo(WatchHealth other) {
    return ORDER.compare(this, other);
  }
}
