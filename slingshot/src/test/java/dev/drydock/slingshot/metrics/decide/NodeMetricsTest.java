package dev.drydock.slingshot.metrics.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CXIDeviceStatus.LinkState;
import dev.drydock.slingshot.metrics.decide.NodeMetrics.Series;
import dev.drydock.slingshot.metrics.decide.NodeSample.Handler;
import dev.drydock.slingshot.metrics.decide.NodeSample.Nic;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class NodeMetricsTest {
  private static final Nic CXI0 = new Nic("cxi0", "0000:41:00.0", 0, LinkState.up);
  private static final Nic CXI1 = new Nic("cxi1", "0000:42:00.0", -1, LinkState.down);
  private static final Set<String> MODULES = Set.of("cxi_ss1", "cxi_user", "sbl", "other");

  private static Handler running(long process, long restarts, long nacks, long timeouts) {
    return new Handler(true, process, restarts, OptionalLong.of(nacks), OptionalLong.of(timeouts));
  }

  private static NodeSample sample(List<Nic> nics, Map<String, Handler> handlers) {
    return new NodeSample(Optional.of(nics), MODULES, Optional.of(handlers), true);
  }

  private static NodeMetrics first(NodeSample sample) {
    return NodeMetrics.none("node1").next(sample, 100);
  }

  /** By name and labels other than the node's, which all have. */
  private static Map<String, Double> shown(NodeMetrics metrics) {
    return metrics.series().stream()
        .collect(
            Collectors.toMap(
                NodeMetricsTest::key, Series::value, (_, _) -> Double.NaN, TreeMap::new));
  }

  private static String key(Series series) {
    Map<String, String> labels = new TreeMap<>(series.labels());
    assertThat(labels.remove("node")).isEqualTo("node1");
    return series.metric().text() + labels;
  }

  @Test
  void allMetricsOfANode() {
    NodeMetrics metrics =
        first(
            sample(
                List.of(CXI0, CXI1),
                Map.of(
                    "cxi0",
                    running(7, 2, 1200, 323),
                    "cxi1",
                    new Handler(false, 0, 5, OptionalLong.empty(), OptionalLong.empty()))));

    assertThat(shown(metrics))
        .isEqualTo(
            Map.ofEntries(
                Map.entry("cxi_device_count{}", 2.0),
                Map.entry("cxi_device_link_state{device=cxi0, pci_address=0000:41:00.0}", 1.0),
                Map.entry("cxi_device_link_state{device=cxi1, pci_address=0000:42:00.0}", 0.0),
                Map.entry("cxi_device_numa_node{device=cxi0, pci_address=0000:41:00.0}", 0.0),
                Map.entry("cxi_device_numa_node{device=cxi1, pci_address=0000:42:00.0}", -1.0),
                Map.entry("cxi_device_health_status{device=cxi0, pci_address=0000:41:00.0}", 1.0),
                Map.entry("cxi_device_health_status{device=cxi1, pci_address=0000:42:00.0}", 0.0),
                Map.entry("cxi_retry_handler_running{device=cxi0}", 1.0),
                Map.entry("cxi_retry_handler_running{device=cxi1}", 0.0),
                Map.entry("cxi_retry_handler_restarts_total{device=cxi0}", 0.0),
                Map.entry("cxi_retry_handler_restarts_total{device=cxi1}", 0.0),
                Map.entry("cxi_retry_total{device=cxi0}", 1523.0),
                Map.entry("cxi_retry_nack_total{device=cxi0}", 1200.0),
                Map.entry("cxi_retry_timeout_total{device=cxi0}", 323.0),
                Map.entry("cxi_driver_loaded{module=cxi_ss1}", 1.0),
                Map.entry("cxi_driver_loaded{module=cxi_user}", 1.0),
                Map.entry("cxi_driver_loaded{module=cxi_eth}", 0.0),
                Map.entry("cxi_driver_loaded{module=sbl}", 1.0),
                Map.entry("cxi_driver_loaded{module=sl}", 0.0),
                Map.entry("cxi_scrape_errors_total{type=device_discovery}", 0.0),
                Map.entry("cxi_scrape_errors_total{type=retry_handler}", 0.0),
                Map.entry("cxi_last_scrape_timestamp_seconds{}", 100.0)));
  }

  @ParameterizedTest
  @EnumSource(MetricFamily.class)
  void everyFamilyIsShownSomewhere(MetricFamily family) {
    assertThat(first(sample(List.of(CXI0), Map.of("cxi0", running(7, 0, 1, 2)))).series())
        .anyMatch(series -> series.metric() == family);
  }

  @ParameterizedTest
  @CsvSource({
    // link, handler running (empty: not known), handlers expected, healthy
    "up, true, true, 1",
    "up, false, true, 0",
    "up, , true, 0",
    "up, , false, 1",
    "down, true, true, 0",
    "down, , false, 0",
    "unknown, true, true, 0",
    "unknown, , false, 0"
  })
  void healthIsThatOfLinkAndHandler(
      LinkState link, @Nullable Boolean runs, boolean expected, int value) {
    Optional<Map<String, Handler>> handlers =
        runs == null
            ? Optional.empty()
            : Optional.of(
                Map.of(
                    "cxi0", new Handler(runs, 0, 0, OptionalLong.empty(), OptionalLong.empty())));
    NodeMetrics metrics =
        first(
            new NodeSample(
                Optional.of(List.of(new Nic("cxi0", "", 0, link))), Set.of(), handlers, expected));

    assertThat(shown(metrics))
        .containsEntry("cxi_device_health_status{device=cxi0, pci_address=}", (double) value);
  }

  @Test
  void restartsCountFromTheFirstLook() {
    NodeMetrics metrics = first(sample(List.of(CXI0), Map.of("cxi0", running(7, 40, 0, 0))));
    for (long restarts : new long[] {41, 43, 0, 1}) {
      metrics =
          metrics.next(sample(List.of(CXI0), Map.of("cxi0", running(7, restarts, 0, 0))), 101);
    }

    assertThat(shown(metrics))
        .as("1, 2, nothing when the supervisor begins again, 1")
        .containsEntry("cxi_retry_handler_restarts_total{device=cxi0}", 4.0);
  }

  @Test
  void seriesOfADeviceThatIsGoneGoAndItsCountersGoOnWhenItReturns() {
    NodeMetrics there = first(sample(List.of(CXI0), Map.of("cxi0", running(7, 0, 10, 1))));
    NodeMetrics gone = there.next(sample(List.of(), Map.of()), 115);
    NodeMetrics back = gone.next(sample(List.of(CXI0), Map.of("cxi0", running(8, 0, 2, 0))), 130);

    assertThat(shown(gone)).noneSatisfy((key, _) -> assertThat(key).contains("cxi0"));
    assertThat(shown(back)).containsEntry("cxi_retry_total{device=cxi0}", 13.0);
  }

  @Test
  void whatCannotBeReadIsCountedAndTheTimeStaysThatOfTheLastSuccess() {
    NodeMetrics good = first(sample(List.of(CXI0), Map.of("cxi0", running(7, 0, 10, 1))));
    NodeMetrics silent =
        good.next(new NodeSample(Optional.of(List.of(CXI0)), MODULES, Optional.empty(), true), 115);
    NodeMetrics blind =
        silent.next(new NodeSample(Optional.empty(), MODULES, Optional.empty(), true), 130);

    assertThat(shown(silent))
        .containsEntry("cxi_scrape_errors_total{type=retry_handler}", 1.0)
        .containsEntry("cxi_scrape_errors_total{type=device_discovery}", 0.0)
        .containsEntry("cxi_last_scrape_timestamp_seconds{}", 100.0)
        .containsEntry("cxi_retry_total{device=cxi0}", 11.0)
        .doesNotContainKey("cxi_retry_handler_running{device=cxi0}");
    assertThat(shown(blind))
        .containsEntry("cxi_scrape_errors_total{type=retry_handler}", 2.0)
        .containsEntry("cxi_scrape_errors_total{type=device_discovery}", 1.0)
        .containsEntry("cxi_last_scrape_timestamp_seconds{}", 100.0)
        .containsEntry("cxi_device_count{}", 1.0);
  }

  @Test
  void withoutRetryHandlersNothingIsMissing() {
    NodeMetrics metrics =
        first(new NodeSample(Optional.of(List.of(CXI0)), MODULES, Optional.empty(), false));

    assertThat(shown(metrics))
        .containsEntry("cxi_scrape_errors_total{type=retry_handler}", 0.0)
        .containsEntry("cxi_last_scrape_timestamp_seconds{}", 100.0)
        .noneSatisfy((key, _) -> assertThat(key).startsWith("cxi_retry_"));
  }
}
