package dev.drydock.maintenance.metrics;

import dev.drydock.contracts.ngn2.MaintenanceState;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * The numbers of maintenances under the names that dashboards know. Gauges are counted from the
 * objects whenever somebody looks, so they are right after a restart. Unless asked to name every
 * object, the number of series does not grow with the objects. Safe for use by many threads.
 */
public final class MaintenanceMetrics {
  /** A state that is never stored: the node is back in production. */
  public static final String COMPLETED = "MaintenanceCompleted";

  private static final Duration ORPHANED_AFTER = Duration.ofDays(7);
  private static final List<String> TYPES = List.of("planned", "unplanned");

  private static final int BUCKETS = 32;
  private static final double SHORTEST_MINUTES = 1.0 / 60;
  private static final double LONGEST_MINUTES = 7200;

  private final MeterRegistry registry;
  private final Supplier<List<MaintenanceSample>> samples;
  private final boolean perObject;
  private final Clock clock;
  private final MultiGauge status;
  private final MultiGauge orphans;
  private final Map<Tags, LongAdder> completed = new ConcurrentHashMap<>();

  /**
   * @param samples all maintenances; none where another process counts them
   * @param perObject a series for each maintenance, node and owner
   */
  public MaintenanceMetrics(
      MeterRegistry registry,
      Supplier<List<MaintenanceSample>> samples,
      boolean perObject,
      Clock clock) {
    this.registry = registry;
    this.samples = samples;
    this.perObject = perObject;
    this.clock = clock;
    status =
        MultiGauge.builder("pika_maintenance_status")
            .description(
                "Maintenances by state; for MaintenanceCompleted, those completed since this process started.")
            .register(registry);
    orphans =
        MultiGauge.builder("pika_orphaned_maintenance_objects")
            .description("NotifyMaintenances that are older than 7 days.")
            .register(registry);
  }

  /** Counts anew; to be called before the registry is read. */
  public synchronized void refresh() {
    List<MaintenanceSample> all = samples.get();
    status.register(statusRows(all), true);
    orphans.register(orphanRows(all), true);
  }

  private List<Row<?>> statusRows(List<MaintenanceSample> all) {
    Map<Tags, Long> counts = new HashMap<>();
    if (!perObject) {
      // A state without objects is reported as 0, so that alerts can tell it from missing data.
      TYPES.forEach(type -> states().forEach(state -> counts.put(bounded(state, type), 0L)));
    }
    for (MaintenanceSample sample : all) {
      if (!sample.status().isEmpty()) {
        counts.merge(tags(sample, sample.status()), 1L, Long::sum);
      }
    }
    completed.forEach((tags, count) -> counts.put(tags, count.sum()));
    return rows(counts);
  }

  private List<Row<?>> orphanRows(List<MaintenanceSample> all) {
    Instant old = clock.instant().minus(ORPHANED_AFTER);
    Map<Tags, Long> counts = new HashMap<>();
    if (!perObject) {
      counts.put(Tags.empty(), 0L);
    }
    for (MaintenanceSample sample : all) {
      if (sample.created().isBefore(old)) {
        Tags object = Tags.of("nm_name", sample.name(), "nm_namespace", sample.namespace());
        counts.merge(perObject ? object : Tags.empty(), 1L, Long::sum);
      }
    }
    return rows(counts);
  }

  private static List<Row<?>> rows(Map<Tags, Long> counts) {
    List<Row<?>> rows = new ArrayList<>();
    counts.forEach((tags, count) -> rows.add(Row.of(tags, count)));
    return rows;
  }

  private static List<String> states() {
    List<String> states = new ArrayList<>();
    for (MaintenanceState state : MaintenanceState.values()) {
      if (state != MaintenanceState.NONE && state != MaintenanceState.UNKNOWN) {
        states.add(state.text());
      }
    }
    states.add(COMPLETED);
    return states;
  }

  private Tags tags(MaintenanceSample sample, String state) {
    Tags tags = bounded(state, sample.type());
    return perObject
        ? tags.and(
            "maintenance_id",
            sample.maintenanceID(),
            "node",
            sample.node(),
            "owner",
            sample.owner())
        : tags;
  }

  private static Tags bounded(String state, String type) {
    return Tags.of("maintenance_status", state, "maintenance_type", type);
  }

  /** A maintenance was in a state for this time, and left it. */
  public void left(MaintenanceSample sample, String state, Duration stay) {
    Tags tags = Tags.of("status", state);
    DistributionSummary.builder("pika_maintenance_status_transition_time_minutes")
        .description("How long maintenances stay in a state, in minutes.")
        .serviceLevelObjectives(buckets())
        .minimumExpectedValue(SHORTEST_MINUTES)
        .maximumExpectedValue(LONGEST_MINUTES)
        .tags(perObject ? tags.and("maintenance_id", sample.maintenanceID()) : tags)
        .register(registry)
        .record(stay.toMillis() / 60_000.0);
  }

  /** A node is back in production after its maintenance, which took this time from its start. */
  public void completed(MaintenanceSample sample, Duration whole) {
    completed.computeIfAbsent(tags(sample, COMPLETED), first -> new LongAdder()).increment();
    left(sample, COMPLETED, whole);
  }

  /** A notice was delivered by a notifier, or a try to do so failed. */
  public void notified(String notifier, boolean delivered) {
    String name = delivered ? "pika_notification_success" : "pika_notification_fail";
    registry.counter(name, "notifier", notifier).increment();
  }

  /** Evenly spread over the orders of magnitude between a second and five days. */
  static double[] buckets() {
    double[] buckets = new double[BUCKETS];
    double ratio = LONGEST_MINUTES / SHORTEST_MINUTES;
    for (int i = 0; i < BUCKETS; i++) {
      buckets[i] = SHORTEST_MINUTES * Math.pow(ratio, i / (BUCKETS - 1.0));
    }
    buckets[BUCKETS - 1] = LONGEST_MINUTES; // the power is off by a rounding
    return buckets;
  }
}
