package dev.drydock.health.quarantine;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.consume.PendingEvents;
import dev.drydock.health.decide.Breaker;
import dev.drydock.health.decide.BreakerLimits;
import dev.drydock.health.decide.BreakerScope;
import dev.drydock.health.decide.NodeTaint;
import dev.drydock.health.metrics.SeriesBound;
import dev.drydock.health.rules.RuleSet;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The numbers of quarantines under the original's names. Thread-safe.
 *
 * <p>A counter is registered without {@code _total}: the registry appends it.
 */
public final class QuarantineMetrics {
  private static final String PREFIX = "fault_quarantine_";
  private static final String NODE = "node";
  private static final Tags CLIENT = Tags.of("client", HealthNames.FAULT_QUARANTINE);

  /** In seconds, from a millisecond on. */
  private static final double[] SECONDS = {
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800, 3600,
    86400
  };

  /** From a tenth of a second, each twice the one before. */
  private static final double[] COLD_START_SECONDS =
      IntStream.range(0, 18).mapToDouble(i -> 0.1 * (1L << i)).toArray();

  private final MeterRegistry registry;
  private final boolean perNode;
  private final MultiGauge quarantined;
  private final MultiGauge states;
  private final MultiGauge utilization;
  private final MultiGauge thresholds;
  private final MultiGauge backlog;
  private final MultiGauge lag;
  private final MultiGauge lagKnown;

  /** Monitors may send any number as an action. */
  private final SeriesBound actions = new SeriesBound(50);

  /**
   * @param perNode a series for each node, as dashboards expect; otherwise one for all
   */
  public QuarantineMetrics(MeterRegistry registry, boolean perNode) {
    this.registry = registry;
    this.perNode = perNode;
    quarantined = gauge("current_quarantined_nodes", "Nodes that are in quarantine.");
    states = gauge("breaker_state", "1 for the state that the breaker of the fleet is in.");
    utilization = gauge("breaker_utilization", "Recent quarantines as a share of the bound.");
    thresholds = gauge("breaker_threshold_nodes", "The bound of the breaker of the fleet.");
    backlog = gauge("event_backlog_count", "Events that are being worked on.");
    lag =
        MultiGauge.builder("change_stream_lag_seconds")
            .description("How old the oldest stored event is that is not decided on.")
            .register(registry);
    lagKnown =
        MultiGauge.builder("change_stream_lag_known")
            .description("1 if change_stream_lag_seconds is known.")
            .register(registry);
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

  private void time(String name, Tags tags, Duration time) {
    DistributionSummary.builder(PREFIX + name)
        .tags(tags)
        .serviceLevelObjectives(SECONDS)
        .register(registry)
        .record(time.toNanos() / 1e9);
  }

  void received() {
    count("events_received", Tags.empty());
  }

  void processed(Duration time) {
    count("events_successfully_processed", Tags.empty());
    time("event_handling_duration_seconds", Tags.empty(), time);
  }

  /** An event that cannot be processed, such as of a node that does not exist. */
  void failed(String error) {
    count("processing_errors", Tags.of("error_type", error));
  }

  void evaluated(RuleSet set, RuleSet.Verdict verdict) {
    count(
        "ruleset_evaluations",
        Tags.of("ruleset", set.name(), "status", verdict.name().toLowerCase(Locale.ROOT)));
  }

  /**
   * @param latency from the event to the cordon
   */
  void quarantined(String name, Duration latency) {
    count("nodes_quarantined", node(name));
    time("node_quarantine_duration_seconds", Tags.empty(), latency);
  }

  /**
   * @param first event of the quarantine
   * @param time that the quarantine has taken
   * @param drain how much of it was the drain
   */
  void unquarantined(String name, HealthEvent first, Duration time, Duration drain) {
    count("nodes_unquarantined", node(name));
    Tags action =
        Tags.of("recommended_action", actions.values(first.recommendedAction().name()).getFirst());
    time("node_remediation_duration_seconds", action, time);
    time("node_remediation_duration_excluding_drain_seconds", action, time.minus(drain));
  }

  /** A failure that is tracked only with others, because there are too many. */
  void untracked(String scope) {
    Counter.builder("drydock_quarantine_untracked_failures")
        .tags(Tags.of("scope", scope))
        .register(registry)
        .increment();
  }

  void uncordonedManually(String name) {
    count("nodes_manually_uncordoned", node(name));
  }

  void untaintedManually(String name) {
    count("nodes_manually_untainted", node(name));
  }

  void tainted(NodeTaint taint) {
    count("taints_applied", Tags.of("taint_key", taint.key(), "taint_effect", taint.effect()));
  }

  void untainted() {
    count("taints_removed", Tags.empty());
  }

  void cordoned() {
    count("cordons_applied", Tags.empty());
  }

  void uncordoned() {
    count("cordons_removed", Tags.empty());
  }

  void labelled(String key, boolean applied) {
    count(applied ? "labels_applied" : "labels_removed", Tags.of("label_key", key));
  }

  /** The history of the store was lost, and all stored events are read again. */
  void relisted() {
    Counter.builder("change_stream_resume_token_recoveries")
        .tags(CLIENT.and("phase", "runtime"))
        .register(registry)
        .increment();
  }

  void replayed(String result) {
    count("cold_start_events", Tags.of("result", result));
  }

  /** All stored events that nobody had decided on were handed out. */
  void coldStarted(Duration time) {
    DistributionSummary.builder(PREFIX + "cold_start_duration_seconds")
        .serviceLevelObjectives(COLD_START_SECONDS)
        .register(registry)
        .record(time.toNanos() / 1e9);
  }

  /** Counts anew; to be called before the registry is read. */
  void refresh(
      List<String> nodes,
      Breaker breaker,
      Breaker.Fleet fleet,
      PendingEvents pending,
      Instant now) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    if (perNode) {
      nodes.forEach(name -> rows.add(MultiGauge.Row.of(Tags.of(NODE, name), 1)));
    } else {
      rows.add(MultiGauge.Row.of(Tags.empty(), nodes.size()));
    }
    quarantined.register(rows, true);
    boolean tripped = breaker.tripped().containsKey(BreakerScope.FLEET);
    states.register(rows(Map.of("TRIPPED", tripped ? 1 : 0, "CLOSED", tripped ? 0 : 1)), true);
    BreakerLimits.Threshold threshold = breaker.limits().ofFleet(fleet.nodes());
    double used = (double) breaker.recent(BreakerScope.FLEET, now) / Math.max(1, threshold.nodes());
    utilization.register(List.of(MultiGauge.Row.of(Tags.empty(), used)), true);
    thresholds.register(
        List.of(MultiGauge.Row.of(Tags.of("bound", threshold.bound()), threshold.nodes())), true);
    backlog.register(List.of(MultiGauge.Row.of(Tags.empty(), pending.count())), true);
    double oldest =
        pending.oldest().map(since -> Duration.between(since, now).toNanos() / 1e9).orElse(0.0);
    lag.register(List.of(MultiGauge.Row.of(CLIENT, oldest)), true);
    lagKnown.register(List.of(MultiGauge.Row.of(CLIENT, 1)), true);
  }

  private static List<MultiGauge.Row<?>> rows(Map<String, Integer> byState) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    byState.forEach((state, value) -> rows.add(MultiGauge.Row.of(Tags.of("state", state), value)));
    return rows;
  }
}
