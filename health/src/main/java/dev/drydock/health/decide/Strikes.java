package dev.drydock.health.decide;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.ImpactedEntity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How often parts of a node have failed: when a quarantine began because of each.
 *
 * @param byPart times in order, such as of {@code GPU 0000:3b:00.0}
 */
public record Strikes(Map<String, List<Instant>> byPart) {
  public static final Strikes NONE = new Strikes(Map.of());

  /** More parts are not kept, so that they fit on the Node, nor longer names. */
  private static final int MOST_PARTS = 20;

  private static final int LONGEST_PART = 128;

  /** The last ones, or as many as the limit needs. */
  private static final int MOST_TIMES = 10;

  /**
   * When a node is out.
   *
   * @param limit so many quarantines for the same part within the window; 0 for never
   */
  public record Limit(int limit, Duration window) {
    public static final Limit OFF = new Limit(0, Duration.ofHours(24));

    public boolean isOn() {
      return limit > 0;
    }
  }

  public Strikes {
    Map<String, List<Instant>> copy = new LinkedHashMap<>();
    byPart.forEach((part, times) -> copy.put(part, List.copyOf(times)));
    byPart = Map.copyOf(copy);
  }

  /** A quarantine begins. Times before the window are forgotten. */
  Strikes struck(HealthEvent event, Instant now, Limit limit) {
    if (!limit.isOn()) {
      return this;
    }
    Map<String, List<Instant>> after = new LinkedHashMap<>();
    byPart.forEach(
        (part, times) -> {
          List<Instant> recent = times.stream().filter(time -> isRecent(time, now, limit)).toList();
          if (!recent.isEmpty()) {
            after.put(part, recent);
          }
        });
    for (String part : parts(event)) {
      List<Instant> times = new ArrayList<>(after.getOrDefault(part, List.of()));
      times.add(now);
      if (after.size() < MOST_PARTS || after.containsKey(part)) {
        int most = Math.max(MOST_TIMES, limit.limit());
        after.put(part, times.subList(Math.max(0, times.size() - most), times.size()));
      }
    }
    return new Strikes(after);
  }

  private static boolean isRecent(Instant time, Instant now, Limit limit) {
    return time.plus(limit.window()).isAfter(now);
  }

  /** The part that has failed too often, and how often. */
  public Optional<String> out(Instant now, Limit limit) {
    if (!limit.isOn()) {
      return Optional.empty();
    }
    return byPart.entrySet().stream()
        .map(part -> Map.entry(part.getKey(), recent(part.getValue(), now, limit)))
        .filter(part -> part.getValue() >= limit.limit())
        .sorted(Map.Entry.comparingByKey())
        .map(part -> "%s failed %d times".formatted(part.getKey(), part.getValue()))
        .findFirst();
  }

  private static long recent(List<Instant> times, Instant now, Limit limit) {
    return times.stream().filter(time -> isRecent(time, now, limit)).count();
  }

  private static Set<String> parts(HealthEvent event) {
    Set<String> parts = new LinkedHashSet<>();
    for (ImpactedEntity entity : event.entitiesImpacted()) {
      parts.add(name(entity.entityType() + " " + entity.entityValue()));
    }
    if (parts.isEmpty()) {
      parts.add(name(event.checkName()));
    }
    return parts;
  }

  private static String name(String part) {
    return part.substring(0, Math.min(part.length(), LONGEST_PART));
  }
}
