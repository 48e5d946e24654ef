package dev.drydock.serve.web;

import dev.drydock.kube.Health;
import dev.drydock.kube.LoopHealth;
import dev.drydock.kube.WatchHealth;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The numbers of a process's control loops and watches. Watches are counted by resource, and not by
 * node or namespace, so the number of series does not grow with the cluster.
 */
public final class HealthMetrics {
  private final MeterRegistry registry;
  private final Health health;
  private final MultiGauge unreadable;
  private final MultiGauge synced;
  private final MultiGauge stuck;

  public HealthMetrics(MeterRegistry registry, Health health) {
    this.registry = registry;
    this.health = health;
    unreadable =
        MultiGauge.builder("drydock_watch_unreadable_objects")
            .description("Objects that could not be parsed and are skipped.")
            .register(registry);
    synced =
        MultiGauge.builder("drydock_watch_synced")
            .description("1 while all watches of a resource that readiness needs are in sync.")
            .register(registry);
    stuck =
        MultiGauge.builder("drydock_control_loop_stuck")
            .description("Control loops without progress, which /healthz lists.")
            .register(registry);
  }

  /** Counts anew; to be called before the registry is read. */
  public synchronized void refresh() {
    health.loops().forEach(this::count);
    unreadable.register(
        rows(_ -> true, all -> all.stream().mapToInt(each -> each.unreadable().size()).sum()),
        true);
    synced.register(
        rows(
            WatchHealth::required,
            all -> all.stream().allMatch(each -> each.unsynced().isEmpty()) ? 1 : 0),
        true);
    stuck.register(
        health.loops().stream()
            .<Row<?>>map(loop -> Row.of(Tags.of("loop", loop.name()), health.stuck(loop).size()))
            .toList(),
        true);
  }

  /** The registry keeps the counters that it has already. */
  private void count(LoopHealth loop) {
    FunctionCounter.builder("drydock_control_loop_failures_total", loop, LoopHealth::failures)
        .description("Steps that failed with an unexpected exception.")
        .tag("loop", loop.name())
        .register(registry);
    FunctionCounter.builder("drydock_control_loop_retries_total", loop, LoopHealth::retries)
        .description("Steps that were retried because a request failed.")
        .tag("loop", loop.name())
        .register(registry);
  }

  private List<Row<?>> rows(
      Predicate<WatchHealth> which, ToDoubleFunction<List<WatchHealth>> figure) {
    Map<String, List<WatchHealth>> watches =
        health.watches().stream()
            .filter(which)
            .collect(
                Collectors.groupingBy(
                    watch -> watch.source().resource(), TreeMap::new, Collectors.toList()));
    return watches.entrySet().stream()
        .<Row<?>>map(
            entry ->
                Row.of(Tags.of("resource", entry.getKey()), figure.applyAsDouble(entry.getValue())))
        .toList();
  }
}
