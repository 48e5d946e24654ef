package dev.drydock.health.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.health.condition.EveryConditionMetric;
import dev.drydock.health.connector.EveryForwarderMetric;
import dev.drydock.health.drainer.EveryNodeDrainerMetric;
import dev.drydock.health.quarantine.EveryQuarantineMetric;
import dev.drydock.health.remediation.EveryRemediationMetric;
import dev.drydock.health.rules.RuleFile;
import dev.drydock.health.spool.Spool;
import dev.drydock.health.spool.SpoolLimits;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The names and labels that dashboards of the original have, as Prometheus reads them from a
 * process that runs all parts.
 */
class MetricNamesTest {
  private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");

  /** As {@code name{label,...} type}. */
  private static final String TABLE =
      """
      change_stream_lag_known{client} gauge
      change_stream_lag_seconds{client} gauge
      fault_quarantine_breaker_state{state} gauge
      fault_quarantine_breaker_threshold_nodes{bound} gauge
      fault_quarantine_breaker_utilization{} gauge
      fault_quarantine_cold_start_duration_seconds{} histogram
      fault_quarantine_cold_start_events_total{result} counter
      fault_quarantine_cordons_applied_total{} counter
      fault_quarantine_cordons_removed_total{} counter
      fault_quarantine_current_quarantined_nodes{node} gauge
      fault_quarantine_event_backlog_count{} gauge
      fault_quarantine_event_handling_duration_seconds{} histogram
      fault_quarantine_events_received_total{} counter
      fault_quarantine_events_successfully_processed_total{} counter
      fault_quarantine_labels_applied_total{label_key} counter
      fault_quarantine_labels_removed_total{label_key} counter
      fault_quarantine_node_quarantine_duration_seconds{} histogram
      fault_quarantine_node_remediation_duration_excluding_drain_seconds{recommended_action} histogram
      fault_quarantine_node_remediation_duration_seconds{recommended_action} histogram
      fault_quarantine_nodes_manually_uncordoned_total{node} counter
      fault_quarantine_nodes_manually_untainted_total{node} counter
      fault_quarantine_nodes_quarantined_total{node} counter
      fault_quarantine_nodes_unquarantined_total{node} counter
      fault_quarantine_processing_errors_total{error_type} counter
      fault_quarantine_ruleset_evaluations_total{ruleset,status} counter
      fault_quarantine_taints_applied_total{taint_effect,taint_key} counter
      fault_quarantine_taints_removed_total{} counter
      fault_remediation_cr_generate_duration_seconds{} histogram
      fault_remediation_event_handling_duration_seconds{} histogram
      fault_remediation_events_processed_total{cr_status} counter
      fault_remediation_events_received_total{} counter
      fault_remediation_processing_errors_total{error_type} counter
      fault_remediation_unsupported_actions_total{action} counter
      grpc_sink_platform_connector_retry_total{} counter
      grpc_sink_platform_connector_send_duration_milliseconds{} histogram
      grpc_sink_platform_connector_send_total{} counter
      k8s_platform_connector_dropped_writes_total{operation,reason} counter
      k8s_platform_connector_node_condition_update_duration_milliseconds{} histogram
      k8s_platform_connector_node_condition_update_total{status} counter
      k8s_platform_connector_node_event_operations_total{operation,status} counter
      k8s_platform_connector_node_event_update_create_duration_milliseconds{} histogram
      node_drainer_cancelled_event_total{check_name,node} counter
      node_drainer_custom_drain_crd_not_found_total{node} counter
      node_drainer_event_handling_duration_seconds{} histogram
      node_drainer_events_processed_total{drain_scope,drain_status,node} counter
      node_drainer_events_received_total{} counter
      node_drainer_events_replayed_total{} counter
      node_drainer_force_delete_pods_after_timeout{namespace,node} gauge
      node_drainer_partial_drains_total{entity_type,entity_value,node} counter
      node_drainer_pod_eviction_duration_seconds{} histogram
      node_drainer_processing_errors_total{error_type,node} counter
      node_drainer_queue_depth{} gauge
      node_drainer_queue_items_assigned_total{priority,reason} counter
      node_drainer_waiting_for_timeout{node} gauge
      nvsentinel_health_events_publisher_dropped_total{monitor,reason} counter
      nvsentinel_health_events_publisher_queue_batches{monitor} gauge
      nvsentinel_health_events_publisher_queue_bytes{monitor} gauge
      nvsentinel_health_events_publisher_retries_total{monitor} counter
      nvsentinel_health_events_publisher_sends_error_total{code,monitor} counter
      nvsentinel_health_events_publisher_sends_success_total{monitor} counter
      nvsentinel_state_transition_unexpected_total{from,to} counter
      platform_connector_best_effort_failures_total{connector,reason} counter
      platform_connector_workqueue_adds_total_databaseStore{} gauge
      platform_connector_workqueue_adds_total_kubernetes{} gauge
      platform_connector_workqueue_depth_databaseStore{} gauge
      platform_connector_workqueue_depth_kubernetes{} gauge
      platform_connector_workqueue_latency_seconds_databaseStore{} histogram
      platform_connector_workqueue_latency_seconds_kubernetes{} histogram
      platform_connector_workqueue_longest_running_processor_seconds_databaseStore{} gauge
      platform_connector_workqueue_longest_running_processor_seconds_kubernetes{} gauge
      platform_connector_workqueue_retries_total_databaseStore{} gauge
      platform_connector_workqueue_retries_total_kubernetes{} gauge
      platform_connector_workqueue_unfinished_work_seconds_databaseStore{} gauge
      platform_connector_workqueue_unfinished_work_seconds_kubernetes{} gauge
      platform_connector_workqueue_work_duration_seconds_databaseStore{} histogram
      platform_connector_workqueue_work_duration_seconds_kubernetes{} histogram
      """;

  /** Ours, beside them. */
  private static final List<String> OWN =
      List.of("drydock_", "change_stream_resume_token_recoveries_total");

  @Test
  void areThoseOfTheOriginal(@TempDir Path folder) throws IOException {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    // another set of labels under a name that is there would be lost in silence
    registry.throwExceptionOnRegistrationFailure();
    EveryQuarantineMetric.count(registry, RuleFile.shipped());
    EveryNodeDrainerMetric.count(registry);
    EveryRemediationMetric.count(registry);
    EveryConditionMetric.count(registry);
    try (Spool spool =
        Spool.open(folder, SpoolLimits.of(1 << 20, Duration.ZERO), Clock.systemUTC())) {
      EveryForwarderMetric.count(registry, spool);

      assertThat(names(registry.scrape()).filter(name -> OWN.stream().noneMatch(name::startsWith)))
          .containsExactlyElementsOf(TABLE.lines().toList());
    }
  }

  private static Stream<String> names(String page) {
    Map<String, String> types = new TreeMap<>();
    Map<String, TreeSet<String>> labels = new TreeMap<>();
    for (String line : page.lines().toList()) {
      Matcher type = TYPE.matcher(line);
      if (type.matches()) {
        types.put(type.group(1), type.group(2));
        labels.put(type.group(1), new TreeSet<>());
      } else if (!line.startsWith("#")) {
        String sample = line.split("[{ ]", 2)[0].replaceAll("_(bucket|sum|count|max)$", "");
        TreeSet<String> known = labels.get(line.split("[{ ]", 2)[0]);
        TreeSet<String> all = known == null ? labels.getOrDefault(sample, new TreeSet<>()) : known;
        LABEL.matcher(line).results().map(each -> each.group(1)).forEach(all::add);
      }
    }
    return types.entrySet().stream()
        // the largest value is no part of a histogram in Prometheus, and beside it
        .filter(entry -> !entry.getKey().endsWith("_max"))
        .map(
            entry -> {
              TreeSet<String> own = labels.getOrDefault(entry.getKey(), new TreeSet<>());
              own.remove("le");
              return "%s{%s} %s".formatted(entry.getKey(), String.join(",", own), entry.getValue());
            });
  }
}
