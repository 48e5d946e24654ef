package dev.drydock.maintenance.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.kube.Json;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.AdvisoryConditions;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Metrics with the meaning that dashboards made for the original controller rely on. */
class OriginalMetricsTest {
  private static final Instant ZERO = Instant.parse("2026-03-01T12:00:00Z");
  private static final Pattern SUM =
      Pattern.compile(
          "pika_maintenance_status_transition_time_minutes_sum\\{maintenance_id=\"fw-17\",status=\"(\\w+)\"} (.*)");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final MaintenanceMetrics metrics =
      new MaintenanceMetrics(
          registry,
          List::of,
          new MaintenanceMetrics.Series(true, Duration.ofHours(24), 1000),
          Clock.fixed(ZERO, ZoneOffset.UTC));

  private static ObjectNode maintenance(@Nullable String state, @Nullable Long entered) {
    ObjectNode object = Json.object();
    object
        .putObject("metadata")
        .put("namespace", "ops")
        .put("name", "m")
        .put("uid", "u")
        .put("creationTimestamp", ZERO.minusSeconds(3600).toString());
    object
        .putObject("spec")
        .put("nodeObject", "node-1")
        .put("maintenanceID", "fw-17")
        .put("maintenanceType", "planned");
    ObjectNode status = object.putObject("status");
    if (state != null) {
      status.put("maintenanceStatus", state);
    }
    if (entered != null) {
      status
          .putArray("transitionTimestamps")
          .addObject()
          .put("maintenanceStatus", state)
          .put("transitionTimestamp", ZERO.plusSeconds(entered).toString());
    }
    return object;
  }

  private static ObjectNode deleted(ObjectNode object, @Nullable Long at) {
    if (at != null) {
      ((ObjectNode) object.path("metadata"))
          .put("deletionTimestamp", ZERO.plusSeconds(at).toString());
    }
    return object;
  }

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = "/original/times.csv", numLinesToSkip = 1)
  void timesAreMeasuredAtTheKnownMoments(
      String moment,
      @Nullable String state,
      @Nullable Long entered,
      @Nullable Long next,
      @Nullable Long deletedAt,
      @Nullable Long completed,
      @Nullable String measured) {
    MaintenanceFigures figures = new MaintenanceFigures(metrics);
    NotifyMaintenanceObject seen =
        NotifyMaintenanceObject.read(deleted(maintenance(state, entered), deletedAt));

    if (next != null) {
      figures.left(seen, NotifyMaintenanceObject.read(maintenance("Any", next)));
    }
    if (deletedAt != null) {
      figures.deleted(seen);
    }
    if (completed != null) {
      figures.completed(seen, ZERO.plusSeconds(completed));
    }

    assertThat(sums())
        .as(moment)
        .containsExactlyInAnyOrderElementsOf(
            measured == null ? List.of() : List.of(measured.split("; ", -1)));
  }

  private List<String> sums() {
    List<String> sums = new ArrayList<>();
    Matcher sum = SUM.matcher(registry.scrape());
    while (sum.find()) {
      sums.add(sum.group(1) + " " + sum.group(2));
    }
    return sums;
  }

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = "/original/gauge.csv", numLinesToSkip = 1)
  void maintenancesAreCountedInTheStateThatTheyAreIn(
      String moment,
      @Nullable String state,
      boolean isDeleted,
      boolean terminal,
      boolean over,
      boolean finalizer,
      @Nullable String countedIn) {
    ObjectNode object = deleted(maintenance(state, null), isDeleted ? 0L : null);
    ObjectNode metadata = (ObjectNode) object.path("metadata");
    if (terminal) {
      metadata.putObject("annotations").put(MaintenanceNames.TERMINATED, "");
    }
    if (finalizer) {
      metadata.putArray("finalizers").add(MaintenanceNames.FINALIZER);
    }
    if (over) {
      ((ObjectNode) object.path("status"))
          .putArray("conditions")
          .addObject()
          .put("type", AdvisoryConditions.COMPLETED)
          .put("status", "true");
    }

    assertThat(MaintenanceWatch.read(object).status())
        .as(moment)
        .isEqualTo(countedIn == null ? "" : countedIn);
  }
}
