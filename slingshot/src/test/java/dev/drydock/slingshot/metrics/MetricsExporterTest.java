package dev.drydock.slingshot.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CXIDeviceStatus.LinkState;
import dev.drydock.kube.LoopFactory;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.slingshot.fake.FakeNic;
import dev.drydock.slingshot.fake.FakeNics;
import dev.drydock.slingshot.metrics.decide.MetricFamily;
import dev.drydock.slingshot.metrics.decide.NodeMetrics.Series;
import dev.drydock.slingshot.metrics.decide.NodeSample;
import dev.drydock.slingshot.metrics.decide.NodeSample.Nic;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsExporterTest {
  private static final Eventually EVENTUALLY = Eventually.inRealTime();
  private static final Duration OFTEN = Duration.ofMillis(50);

  private final LoopFactory loops = new LoopFactory(TimeSource.REAL);
  private final LoopbackServer supervisor = new LoopbackServer();
  private final FakeNics machine;

  MetricsExporterTest(@TempDir Path folder) throws IOException {
    machine = FakeNics.create(folder, FakeNics.KERNEL, Clock.systemUTC());
    machine.add(FakeNic.numbered(0));
    machine.add(FakeNic.numbered(1));
  }

  @AfterEach
  void stop() {
    supervisor.close();
  }

  private MetricsExporter exporter(Optional<URI> retryHandler) {
    return new MetricsExporter(
        loops, new MetricsExporter.Settings("node1", machine.roots(), OFTEN, retryHandler));
  }

  private void supervisorSays(String status) {
    supervisor.handle("/status", exchange -> LoopbackServer.answer(exchange, 200, status));
  }

  private static OptionalDouble value(MetricsExporter of, MetricFamily metric, String device) {
    return of.series().stream()
        .filter(each -> each.metric() == metric)
        .filter(each -> each.labels().getOrDefault("device", "").equals(device))
        .mapToDouble(Series::value)
        .findFirst();
  }

  private static void awaitValue(
      MetricsExporter of, MetricFamily metric, String device, double wanted) {
    EVENTUALLY.untilAsserted(() -> assertThat(value(of, metric, device)).hasValue(wanted));
  }

  @Test
  void linksDevicesModulesAndHandlersOfTheNode() throws IOException {
    supervisorSays(
        """
        {"handlers":[
          {"device":"cxi0","running":true,"pid":7,"restarts":0,
           "stats":{"totalRetries":3,"nackRetries":1,"timeoutRetries":2,"pendingRetries":0}},
          {"device":"cxi1","running":false,"pid":0,"restarts":1}],"healthy":false}
        """);
    try (MetricsExporter exporter = exporter(Optional.of(supervisor.uri("/")))) {
      exporter.start();
      awaitValue(exporter, MetricFamily.CXI_RETRY_TOTAL, "cxi0", 3);
      awaitValue(exporter, MetricFamily.CXI_DEVICE_HEALTH_STATUS, "cxi0", 1);
      awaitValue(exporter, MetricFamily.CXI_DEVICE_HEALTH_STATUS, "cxi1", 0);

      machine.link("cxi0", false);
      awaitValue(exporter, MetricFamily.CXI_DEVICE_LINK_STATE, "cxi0", 0);
      machine.remove("cxi0");
      awaitValue(exporter, MetricFamily.CXI_DEVICE_COUNT, "", 1);
      assertThat(value(exporter, MetricFamily.CXI_DEVICE_LINK_STATE, "cxi0")).isEmpty();
    }
  }

  @Test
  void aSupervisorThatDoesNotAnswerIsCountedAndEverythingElseGoesOn() throws IOException {
    supervisor.handle("/status", exchange -> LoopbackServer.answer(exchange, 500, "broken"));
    try (MetricsExporter exporter = exporter(Optional.of(supervisor.uri("")))) {
      exporter.start();
      EVENTUALLY.untilAsserted(
          () ->
              assertThat(exporter.series())
                  .anyMatch(
                      each ->
                          each.metric() == MetricFamily.CXI_SCRAPE_ERRORS_TOTAL
                              && "retry_handler".equals(each.labels().get("type"))
                              && each.value() > 1));
      assertThat(value(exporter, MetricFamily.CXI_DEVICE_LINK_STATE, "cxi1")).hasValue(1);

      supervisorSays("{\"handlers\":[]}");
      EVENTUALLY.until(
          () -> value(exporter, MetricFamily.CXI_LAST_SCRAPE_TIMESTAMP_SECONDS, "").isPresent());
      machine.link("cxi1", false);
      awaitValue(exporter, MetricFamily.CXI_DEVICE_LINK_STATE, "cxi1", 0);
    }
  }

  @Test
  void withoutTheDriverThereAreNoDevices() throws IOException {
    machine.remove("cxi0");
    machine.remove("cxi1");
    Files.delete(machine.sysfs().folder());
    try (MetricsExporter exporter = exporter(Optional.empty())) {
      exporter.start();
      awaitValue(exporter, MetricFamily.CXI_DEVICE_COUNT, "", 0);
    }
  }

  @Test
  void aBugInOneLookDoesNotEndTheNext() {
    LoopBug bug = new LoopBug();
    NodeSample sample =
        new NodeSample(
            Optional.of(List.of(new Nic("cxi0", "", 0, LinkState.up))),
            Set.of(),
            Optional.of(Map.of()),
            true);
    try (MetricsExporter broken =
            new MetricsExporter(
                loops,
                new MetricsExporter.Settings("node1", machine.roots(), OFTEN, Optional.empty()),
                () -> {
                  bug.strike();
                  return sample;
                });
        MetricsExporter other = exporter(Optional.empty())) {
      broken.start();
      other.start();
      bug.staysIn(
          "cxi-metrics",
          loops.health(),
          EVENTUALLY,
          () -> {
            assertThat(other.hasRead()).isTrue();
            assertThat(broken.hasRead()).isFalse();
          },
          () -> assertThat(broken.hasRead()).isTrue());
    }
  }
}
