package dev.drydock.health.remediation;

import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.metrics.StateChangeMetrics;
import dev.drydock.health.remediation.decide.RemediationNote;
import dev.drydock.health.remediation.decide.RemediationStep.Refusal;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The numbers of remediation under the original's names, and what became of nodes under ours.
 * Thread-safe.
 */
public final class RemediationMetrics {
  private static final String PREFIX = "fault_remediation_";

  private static final double[] SECONDS = {
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800, 3600
  };

  private final MeterRegistry registry;
  private final MultiGauge open;

  public RemediationMetrics(MeterRegistry registry) {
    this.registry = registry;
    open =
        MultiGauge.builder("drydock_remediation_resources_open")
            .description("Maintenance resources whose work has not ended.")
            .register(registry);
  }

  private void count(String name, Tags tags) {
    Counter.builder(name).tags(tags).register(registry).increment();
  }

  private void time(String name, Duration time) {
    DistributionSummary.builder(PREFIX + name)
        .serviceLevelObjectives(SECONDS)
        .register(registry)
        .record(time.toNanos() / 1e9);
  }

  void received() {
    count(PREFIX + "events_received", Tags.empty());
  }

  /** A resource was made for an event, or it is covered by one. */
  void processed(Duration since) {
    count(PREFIX + "events_processed", Tags.of("cr_status", "created"));
    time("event_handling_duration_seconds", since);
  }

  void refused(Refusal why, String action) {
    count(PREFIX + "events_processed", Tags.of("cr_status", "skipped"));
    if (why == Refusal.UNSUPPORTED) {
      count(PREFIX + "unsupported_actions", Tags.of("action", action));
    } else {
      failed(why.name().toLowerCase(Locale.ROOT));
    }
  }

  void failed(String error) {
    count(PREFIX + "processing_errors", Tags.of("error_type", error));
  }

  void made(Duration took) {
    time("cr_generate_duration_seconds", took);
  }

  StateChangeMetrics stateChanges() {
    return new StateChangeMetrics(registry);
  }

  void noted(RemediationNote note) {
    count(
        "drydock_remediations",
        Tags.of(
            "outcome",
            note.kind().name().toLowerCase(Locale.ROOT),
            "kind",
            note.attempt().resource().kind().kind()));
  }

  /** The history of the store was lost; all nodes in quarantine are looked at again. */
  void relisted() {
    count(
        "change_stream_resume_token_recoveries",
        Tags.of("client", HealthNames.FAULT_REMEDIATION, "phase", "runtime"));
  }

  /** To be called before the registry is read. */
  void refresh(long served, long unserved) {
    open.register(
        List.of(
            MultiGauge.Row.of(Tags.of("served", "true"), served),
            MultiGauge.Row.of(Tags.of("served", "false"), unserved)),
        true);
  }
}
