package dev.drydock.health.drainer;

import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.health.drainer.decide.DrainScope;
import dev.drydock.health.metrics.StateChangeMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * The numbers of the node drainer under the original's names. Thread-safe.
 *
 * <p>A counter is registered without {@code _total}: the registry appends it.
 */
public final class NodeDrainerMetrics {
  private static final String PREFIX = "node_drainer_";
  private static final String NODE = "node";

  /** Buckets in seconds: a tenth of one, and each twice the one before. */
  private static final double[] SECONDS =
      IntStream.range(0, 23).mapToDouble(i -> 0.1 * (1L << i)).toArray();

  private final MeterRegistry registry;
  private final boolean perNode;
  private final boolean perEntity;
  private final MultiGauge depth;
  private final MultiGauge waiting;
  private final Map<Tags, AtomicLong> forceDeleted = new ConcurrentHashMap<>();

  /**
   * @param perNode a series for each node, as dashboards expect; otherwise one for all
   * @param perEntity a series for each device that was drained for
   */
  public NodeDrainerMetrics(MeterRegistry registry, boolean perNode, boolean perEntity) {
    this.registry = registry;
    this.perNode = perNode;
    this.perEntity = perEntity;
    depth = gauge("queue_depth", "Events whose drain has not ended.");
    waiting = gauge("waiting_for_timeout", "1 for nodes with pods that may run until a time.");
  }

  private MultiGauge gauge(String name, String description) {
    return MultiGauge.builder(PREFIX + name).description(description).register(registry);
  }

  private void count(String name, Tags tags) {
    Counter.builder(PREFIX + name).tags(tags).register(registry).increment();
  }

  private Tags node(String name) {
    return perNode ? Tags.of(NODE, name) : Tags.empty();
  }

  private void time(String name, Duration time) {
    DistributionSummary.builder(PREFIX + name)
        .serviceLevelObjectives(SECONDS)
        .register(registry)
        .record(Math.max(0, time.toNanos()) / 1e9);
  }

  void received() {
    count("events_received", Tags.empty());
  }

  /** An event whose drain an earlier process did not finish. */
  void replayed() {
    count("events_replayed", Tags.empty());
  }

  /** The first event of a node goes before others of nodes that are being drained. */
  void assigned(boolean draining, boolean first) {
    String reason = draining ? "node_already_draining" : "node_high_priority_queued";
    count(
        "queue_items_assigned",
        draining || !first
            ? Tags.of("priority", "low", "reason", reason)
            : Tags.of("priority", "high", "reason", "node_not_yet_draining"));
  }

  void processed(String name, HealthStatus status, DrainScope scope) {
    String word =
        switch (status) {
          case SUCCEEDED -> "drained";
          case FAILED -> "failed";
          case CANCELLED -> "cancelled";
          default -> "skipped";
        };
    count(
        "events_processed", node(name).and("drain_status", word).and("drain_scope", scope.word()));
  }

  void cancelled(String name, String check) {
    count("cancelled_event", node(name).and("check_name", check));
  }

  void failed(String name, String error) {
    count("processing_errors", node(name).and("error_type", error));
  }

  void partial(String name, DrainScope scope) {
    if (perEntity && scope instanceof DrainScope.Device device) {
      count(
          "partial_drains",
          node(name).and("entity_type", device.type(), "entity_value", device.value()));
    }
  }

  /** A gauge, because the original's name lacks the suffix that every counter gets. */
  void forceDeleted(String name, String namespace) {
    forceDeleted
        .computeIfAbsent(
            node(name).and("namespace", namespace),
            tags -> {
              AtomicLong deleted = new AtomicLong();
              Gauge.builder(PREFIX + "force_delete_pods_after_timeout", deleted, AtomicLong::get)
                  .tags(tags)
                  .register(registry);
              return deleted;
            })
        .incrementAndGet();
  }

  void kindMissing(String name) {
    count("custom_drain_crd_not_found", node(name));
  }

  void handled(Duration time) {
    time("event_handling_duration_seconds", time);
  }

  /**
   * @param time from the quarantine to the end of the drain
   */
  void drained(Duration time) {
    time("pod_eviction_duration_seconds", time);
  }

  StateChangeMetrics stateChanges() {
    return new StateChangeMetrics(registry);
  }

  /** The history of the store was lost, and all stored events are read again. */
  void relisted(String client) {
    Counter.builder("change_stream_resume_token_recoveries")
        .tags("client", client, "phase", "runtime")
        .register(registry)
        .increment();
  }

  /** Counts anew; to be called before the registry is read. */
  void refresh(int queued, Collection<String> waitingNodes) {
    depth.register(List.of(MultiGauge.Row.of(Tags.empty(), queued)), true);
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    if (perNode) {
      waitingNodes.forEach(name -> rows.add(MultiGauge.Row.of(Tags.of(NODE, name), 1)));
    } else {
      rows.add(MultiGauge.Row.of(Tags.empty(), waitingNodes.size()));
    }
    waiting.register(rows, true);
  }
}
