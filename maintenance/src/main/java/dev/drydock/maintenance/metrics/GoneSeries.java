package dev.drydock.maintenance.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Says which series to drop: those of what has been gone for too long, and the oldest of too many.
 *
 * @param <K> what a series is about
 */
final class GoneSeries<K> {
  private final Duration keep;
  private final int most;
  private final Map<K, Instant> lastUsed = new HashMap<>();

  GoneSeries(Duration keep, int most) {
    this.keep = keep;
    this.most = most;
  }

  void used(K key, Instant now) {
    lastUsed.put(key, now);
  }

  /**
   * Those to drop now; they are forgotten here.
   *
   * @param there what is not gone
   */
  Set<K> expired(Set<K> there, Instant now) {
    lastUsed.replaceAll((key, last) -> there.contains(key) ? now : last);
    List<K> newestFirst =
        lastUsed.entrySet().stream()
            .filter(entry -> !there.contains(entry.getKey()))
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .map(Map.Entry::getKey)
            .toList();
    Set<K> expired =
        new HashSet<>(newestFirst.subList(Math.min(most, newestFirst.size()), newestFirst.size()));
    lastUsed.forEach(
        (key, last) -> {
          if (last.isBefore(now.minus(keep))) {
            expired.add(key);
          }
        });
    lastUsed.keySet().removeAll(expired);
    return expired;
  }
}
