package dev.drydock.health.transform;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.ImpactedEntity;
import dev.drydock.contracts.health.ProcessingStrategy;
import dev.drydock.health.metrics.SeriesBound;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Lets the first of several equal failures act, and has the repeats only stored and analysed. The
 * window counts from the first sight and does not slide.
 */
public final class Deduplicator implements EventTransformer {
  public static final String NAME = "Deduplicator";

  /** Failures that are remembered, whatever monitors send within the window. */
  static final int MOST_KEYS = 10_000;

  private static final int MOST_SERIES = 200;

  /**
   * How it works.
   *
   * @param includeChecks only these; empty for all
   */
  public record Settings(
      Duration suppressionWindow, Duration cleanupInterval, Set<String> includeChecks) {
    public Settings {
      includeChecks = Set.copyOf(includeChecks);
    }
  }

  /** What makes failures equal. */
  private record Key(
      String node,
      String check,
      List<ImpactedEntity> entities,
      List<String> codes,
      int strategy,
      boolean healthy) {
    static Key of(HealthEvent event) {
      return new Key(
          event.nodeName(),
          event.checkName(),
          event.entitiesImpacted().stream()
              .sorted(
                  Comparator.comparing(ImpactedEntity::entityType)
                      .thenComparing(ImpactedEntity::entityValue))
              .toList(),
          event.errorCode().stream().sorted().toList(),
          event.processingStrategy().number(),
          event.isHealthy());
    }

    /** An event that says nothing of entities or codes is about all of them. */
    boolean isClearedBy(HealthEvent healthy) {
      return node.equals(healthy.nodeName())
          && check.equals(healthy.checkName())
          && (healthy.entitiesImpacted().isEmpty()
              || new HashSet<>(healthy.entitiesImpacted()).containsAll(entities))
          && (healthy.errorCode().isEmpty()
              || new HashSet<>(healthy.errorCode()).containsAll(codes));
    }
  }

  private final Settings settings;
  private final Clock clock;
  private final MeterRegistry meters;
  private final Map<Key, Instant> seen =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        // a failure that is forgotten acts once more, which is safe
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Instant> eldest) {
          return size() > MOST_KEYS;
        }
      };

  private final SeriesBound series = new SeriesBound(MOST_SERIES);
  private Instant swept;

  public Deduplicator(Settings settings, Clock clock, MeterRegistry meters) {
    this.settings = settings;
    this.clock = clock;
    this.meters = meters;
    swept = clock.instant();
  }

  @Override
  public HealthEvent apply(HealthEvent event) {
    return apply(event, _ -> {});
  }

  @Override
  public synchronized HealthEvent apply(HealthEvent event, Consumer<Runnable> ifRefused) {
    if (!settings.includeChecks().isEmpty()
        && !settings.includeChecks().contains(event.checkName())) {
      return event;
    }
    Instant now = clock.instant();
    sweep(now);
    if (event.isHealthy()) {
      seen.keySet().removeIf(key -> key.isClearedBy(event));
      return event;
    }
    Key key = Key.of(event);
    Instant first = seen.get(key);
    if (first == null || isOver(first, now)) {
      seen.remove(key); // it becomes the youngest
      seen.put(key, now);
      ifRefused.accept(() -> forget(key, now));
      return event;
    }
    List<String> labels = series.values(event.checkName(), String.join(",", key.codes()));
    meters
        .counter(
            "nvsentinel_platform_connector_dedup_store_and_analyse",
            "check",
            labels.get(0),
            "err_code",
            labels.get(1))
        .increment();
    return event.toBuilder().processingStrategy(ProcessingStrategy.STORE_AND_ANALYSE).build();
  }

  private synchronized void forget(Key key, Instant first) {
    var _ = seen.remove(key, first);
  }

  private boolean isOver(Instant first, Instant now) {
    return !now.isBefore(first.plus(settings.suppressionWindow()));
  }

  private void sweep(Instant now) {
    if (!now.isBefore(swept.plus(settings.cleanupInterval()))) {
      seen.values().removeIf(first -> isOver(first, now));
      swept = now;
    }
  }
}
