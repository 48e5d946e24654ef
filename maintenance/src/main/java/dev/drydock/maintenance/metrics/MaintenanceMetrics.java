package dev.drydock.maintenance.metrics;

import dev.drydock.contracts.ngn2.MaintenanceState;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
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
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The numbers of maintenances under the names, labels and buckets that dashboards know. Gauges are
 * counted from the objects whenever somebody looks, so they are right after a restart. Series about
 * objects that are gone are dropped after a while. Safe for use by many threads.
 */
public final class MaintenanceMetrics {
  /** A state that is never stored: the node is back in production. */
  public static final String COMPLETED = "MaintenanceCompleted";

  private static final String TIMES = "pika_maintenance_status_transition_time_minutes";
  private static final Duration ORPHANED_AFTER = Duration.ofDays(7);
  private static final List<String> TYPES = List.of("planned", "unplanned");

  /** In minutes, from a second to five days. */
  private static final double[] BUCKETS = {
    1.0 / 60, 10.0 / 60, 0.5, 1, 2, 3, 4, 5, 7, 8, 10, 12, 15, 20, 22, 25, 30, 35, 40, 50, 60, 120,
    180, 240, 300, 360, 720, 1080, 1440, 2880, 4320, 7200
  };

  private final MeterRegistry registry;
  private final Supplier<List<MaintenanceSample>> samples;
  private final boolean perObject;
  private final Clock clock;
  private final MultiGauge status;
  private final MultiGauge orphans;
  private final Map<Tags, Long> completed = new HashMap<>();
  private final Map<Tags, DistributionSummary> times = new HashMap<>();
  private final GoneSeries<Tags> goneCompletions;
  private final GoneSeries<String> goneTasks;

  /**
   * How many series there may be.
   *
   * @param perObject a series for each maintenance, node and owner, as dashboards expect; otherwise
   *     the number of series does not grow with the objects
   * @param keepGone how long series about objects that are gone are kept
   * @param mostGone how many of them
   */
  public record Series(boolean perObject, Duration keepGone, int mostGone) {}

  /**
   * @param samples all maintenances; none where another process counts them
   */
  public MaintenanceMetrics(
      MeterRegistry registry,
      Supplier<List<MaintenanceSample>> samples,
      Series series,
      Clock clock) {
    this.registry = registry;
    this.samples = samples;
    this.perObject = series.perObject();
    this.clock = clock;
    goneCompletions = new GoneSeries<>(series.keepGone(), series.mostGone());
    goneTasks = new GoneSeries<>(series.keepGone(), series.mostGone());
    status =
        MultiGauge.builder("pika_maintenance_status")
            .description(
                "Maintenances by state; for MaintenanceCompleted, those completed since this process started.")
            .register(registry);
    orphans =
        MultiGauge.builder("pika_orphaned_maintenance_objects")
            .description("NotifyMaintenances that are older than 7 days.")
            .register(registry);
    var _ =
        Gauge.builder("pika_planned_maintenance_state", () -> 0)
            .description("Always 0, as in the controller that dashboards know it from.")
            .register(registry);
  }

  /** Counts anew; to be called before the registry is read. */
  public synchronized void refresh() {
    List<MaintenanceSample> all = samples.get();
    forget(all);
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
    counts.putAll(completed);
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

  /** A maintenance was in a state for this time. */
  public synchronized void spent(MaintenanceSample sample, String state, Duration stay) {
    Tags status = Tags.of("status", state);
    Tags tags = perObject ? status.and("maintenance_id", sample.maintenanceID()) : status;
    times.computeIfAbsent(tags, this::summary).record(stay.toMillis() / 60_000.0);
    if (perObject) {
      goneTasks.used(sample.maintenanceID(), clock.instant());
    }
  }

  private DistributionSummary summary(Tags tags) {
    return DistributionSummary.builder(TIMES)
        .description("How long maintenances stay in a state, in minutes.")
        .serviceLevelObjectives(BUCKETS)
        .minimumExpectedValue(BUCKETS[0])
        .maximumExpectedValue(BUCKETS[BUCKETS.length - 1])
        .tags(tags)
        .register(registry);
  }

  /** A node is back in production; it took this time after the maintenance was deleted. */
  public synchronized void completed(MaintenanceSample sample, Duration whole) {
    Tags tags = tags(sample, COMPLETED);
    completed.merge(tags, 1L, Long::sum);
    if (perObject) {
      goneCompletions.used(tags, clock.instant());
    }
    spent(sample, COMPLETED, whole);
    forget(samples.get());
  }

  /** Without labels of objects there is nothing that could be gone. */
  private void forget(List<MaintenanceSample> all) {
    if (!perObject) {
      return;
    }
    Instant now = clock.instant();
    completed.keySet().removeAll(goneCompletions.expired(Set.of(), now));
    Set<String> there =
        all.stream().map(MaintenanceSample::maintenanceID).collect(Collectors.toSet());
    Set<String> gone = goneTasks.expired(there, now);
    times
        .entrySet()
        .removeIf(
            entry -> {
              boolean drop = gone.stream().anyMatch(id -> isAbout(entry.getKey(), id));
              if (drop) {
                registry.remove(entry.getValue());
              }
              return drop;
            });
  }

  private static boolean isAbout(Tags tags, String maintenanceID) {
    return tags.stream()
        .anyMatch(
            tag -> tag.getKey().equals("maintenance_id") && tag.getValue().equals(maintenanceID));
  }

  /** A notice was delivered by a notifier, or a try to do so failed. */
  public void notified(String notifier, boolean delivered) {
    String name = delivered ? "pika_notification_success" : "pika_notification_fail";
    registry.counter(name, "notifier", notifier).increment();
  }
}
