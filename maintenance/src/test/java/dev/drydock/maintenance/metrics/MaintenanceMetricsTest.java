package dev.drydock.maintenance.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MaintenanceMetricsTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String STARTED = "MaintenanceStarted";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final List<MaintenanceSample> objects = new ArrayList<>();

  private MaintenanceMetrics metrics(boolean perObject) {
    return new MaintenanceMetrics(
        registry,
        () -> List.copyOf(objects),
        new MaintenanceMetrics.Series(perObject, Duration.ofHours(24), 1000),
        Clock.fixed(NOW, ZoneOffset.UTC));
  }

  private static MaintenanceSample sample(String name, String status, Duration age) {
    return new MaintenanceSample(
        "ops", name, "fw-17", "node-" + name, "team-a", "planned", status, NOW.minus(age));
  }

  private List<String> scrape(MaintenanceMetrics metrics, String name) {
    metrics.refresh();
    return registry.scrape().lines().filter(line -> line.startsWith(name)).toList();
  }

  @Test
  void statesAreCountedFromTheObjectsAndANoughtIsNoGap() {
    objects.add(sample("a", STARTED, Duration.ZERO));
    objects.add(sample("b", STARTED, Duration.ZERO));
    objects.add(sample("c", "Validating", Duration.ZERO));
    objects.add(sample("d", "", Duration.ZERO));

    assertThat(scrape(metrics(false), "pika_maintenance_status{"))
        .hasSize(14)
        .contains(
            line("MaintenanceStarted", "planned", 2),
            line("MaintenanceStarted", "unplanned", 0),
            line("Validating", "planned", 1),
            line("SLAExpired", "planned", 0),
            line("MaintenanceCompleted", "planned", 0));
  }

  private static String line(String status, String type, int count) {
    return "pika_maintenance_status{maintenance_status=\"%s\",maintenance_type=\"%s\"} %d.0"
        .formatted(status, type, count);
  }

  @Test
  void whatLeavesAStateLeavesItsNumber() {
    MaintenanceMetrics metrics = metrics(true);
    objects.add(sample("a", STARTED, Duration.ZERO));
    assertThat(scrape(metrics, "pika_maintenance_status{"))
        .containsExactly(
            "pika_maintenance_status{maintenance_id=\"fw-17\",maintenance_status=\"MaintenanceStarted\",maintenance_type=\"planned\",node=\"node-a\",owner=\"team-a\"}"
                + " 1.0");

    objects.set(0, sample("a", "ObjectsDrained", Duration.ZERO));
    assertThat(scrape(metrics, "pika_maintenance_status{"))
        .singleElement()
        .asString()
        .contains("ObjectsDrained");

    objects.clear();
    assertThat(scrape(metrics, "pika_maintenance_status{")).isEmpty();
  }

  @Test
  void seriesDoNotGrowWithObjectsUnlessAskedTo() {
    MaintenanceMetrics metrics = metrics(false);
    int before = scrape(metrics, "pika_").size();
    for (int i = 0; i < 100; i++) {
      objects.add(sample("n" + i, STARTED, Duration.ofDays(8)));
    }

    assertThat(scrape(metrics, "pika_")).hasSize(before);
    assertThat(scrape(metrics, "pika_orphaned_maintenance_objects"))
        .containsExactly("pika_orphaned_maintenance_objects 100.0");
  }

  @Test
  void anObjectIsOrphanedAfterSevenDays() {
    objects.add(sample("old", STARTED, Duration.ofDays(7).plusSeconds(1)));
    objects.add(sample("young", STARTED, Duration.ofDays(7).minusSeconds(1)));

    assertThat(scrape(metrics(true), "pika_orphaned_maintenance_objects"))
        .containsExactly(
            "pika_orphaned_maintenance_objects{nm_name=\"old\",nm_namespace=\"ops\"} 1.0");
  }

  @Test
  void completionsAddUp() {
    MaintenanceMetrics metrics = metrics(false);
    metrics.completed(sample("a", "Validating", Duration.ZERO), Duration.ofHours(2));
    metrics.completed(sample("b", "Validating", Duration.ZERO), Duration.ofHours(3));

    assertThat(scrape(metrics, "pika_maintenance_status{"))
        .contains(line("MaintenanceCompleted", "planned", 2));
    assertThat(scrape(metrics, "pika_maintenance_status_transition_time_minutes_sum"))
        .containsExactly(
            "pika_maintenance_status_transition_time_minutes_sum{status=\"MaintenanceCompleted\"}"
                + " 300.0");
  }

  @Test
  void timesInStatesHave32BucketsFromASecondToFiveDays() {
    MaintenanceMetrics metrics = metrics(true);
    metrics.spent(sample("a", STARTED, Duration.ZERO), STARTED, Duration.ofMinutes(30));

    List<String> buckets =
        scrape(metrics, "pika_maintenance_status_transition_time_minutes_bucket");

    assertThat(buckets).hasSize(33);
    assertThat(buckets.getFirst())
        .contains("maintenance_id=\"fw-17\",status=\"MaintenanceStarted\",le=\"0.0166666")
        .endsWith(" 0");
    assertThat(buckets.get(31)).contains("le=\"7200.0\"").endsWith(" 1");
    assertThat(buckets.get(32)).contains("le=\"+Inf\"").endsWith(" 1");
    assertThat(buckets.stream().map(line -> line.replaceAll(".*le=\"([^\"]*)\".*", "$1")))
        .containsExactly(
            "0.016666666666666666",
            "0.16666666666666666",
            "0.5",
            "1.0",
            "2.0",
            "3.0",
            "4.0",
            "5.0",
            "7.0",
            "8.0",
            "10.0",
            "12.0",
            "15.0",
            "20.0",
            "22.0",
            "25.0",
            "30.0",
            "35.0",
            "40.0",
            "50.0",
            "60.0",
            "120.0",
            "180.0",
            "240.0",
            "300.0",
            "360.0",
            "720.0",
            "1080.0",
            "1440.0",
            "2880.0",
            "4320.0",
            "7200.0",
            "+Inf");
  }

  @Test
  void everyLabelIsThereWhetherOrNotItHasAValue() {
    objects.add(new MaintenanceSample("ops", "a", "fw-17", "node-a", "", "planned", STARTED, NOW));

    assertThat(scrape(metrics(true), "pika_maintenance_status{"))
        .containsExactly(
            "pika_maintenance_status{maintenance_id=\"fw-17\",maintenance_status=\"MaintenanceStarted\",maintenance_type=\"planned\",node=\"node-a\",owner=\"\"} 1.0");
    assertThat(scrape(metrics(true), "pika_planned_maintenance_state"))
        .containsExactly("pika_planned_maintenance_state 0.0");
  }

  @Test
  void seriesOfWhatIsGoneAreDropped() {
    List<Instant> clock = new ArrayList<>(List.of(NOW));
    MaintenanceMetrics metrics =
        new MaintenanceMetrics(
            registry,
            () -> List.copyOf(objects),
            new MaintenanceMetrics.Series(true, Duration.ofHours(24), 1000),
            new Clock() {
              @Override
              public Instant instant() {
                return clock.getFirst();
              }

              @Override
              public java.time.ZoneId getZone() {
                return ZoneOffset.UTC;
              }

              @Override
              public Clock withZone(java.time.ZoneId zone) {
                return this;
              }
            });
    metrics.completed(sample("a", "Validating", Duration.ZERO), Duration.ofHours(2));

    assertThat(scrape(metrics, "pika_maintenance_status{")).hasSize(1);
    clock.set(0, NOW.plus(Duration.ofHours(25)));
    assertThat(scrape(metrics, "pika_maintenance_status{")).isEmpty();
    assertThat(scrape(metrics, "pika_maintenance_status_transition_time_minutes_sum")).isEmpty();
  }

  @Test
  void noticesAreCountedByNotifier() {
    MaintenanceMetrics metrics = metrics(false);
    metrics.notified("SNSNotifier", true);
    metrics.notified("SNSNotifier", true);
    metrics.notified("SlackNotifier", false);

    assertThat(scrape(metrics, "pika_notification"))
        .containsExactlyInAnyOrder(
            "pika_notification_success_total{notifier=\"SNSNotifier\"} 2.0",
            "pika_notification_fail_total{notifier=\"SlackNotifier\"} 1.0");
  }
}
