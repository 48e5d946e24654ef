package dev.drydock.slingshot.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CXIDeviceStatus.LinkState;
import dev.drydock.slingshot.metrics.decide.MetricFamily;
import dev.drydock.slingshot.metrics.decide.NodeMetrics;
import dev.drydock.slingshot.metrics.decide.NodeSample;
import dev.drydock.slingshot.metrics.decide.NodeSample.Handler;
import dev.drydock.slingshot.metrics.decide.NodeSample.Nic;
import dev.drydock.testbed.CommandResult;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PrometheusPageTest {
  private static String page() throws IOException {
    return PrometheusPage.text(
        NodeMetrics.none("node1")
            .next(
                new NodeSample(
                    Optional.of(
                        List.of(
                            new Nic("cxi0", "0000:41:00.0", 0, LinkState.up),
                            new Nic("cxi1", "a \"strange\\\naddress", -1, LinkState.unknown))),
                    Set.of("cxi_ss1"),
                    Optional.of(
                        Map.of(
                            "cxi0",
                            new Handler(true, 7, 0, OptionalLong.of(1200), OptionalLong.of(323)))),
                    true),
                1_700_000_000L)
            .series());
  }

  @Test
  void valuesAreShownWithTheirNamesLabelsAndTypes() throws IOException {
    assertThat(page())
        .contains(
            "# TYPE cxi_device_link_state gauge\n",
            "cxi_device_link_state{device=\"cxi0\",node=\"node1\",pci_address=\"0000:41:00.0\"} 1.0\n",
            "cxi_device_link_state{device=\"cxi1\",node=\"node1\",pci_address=\"a \\\"strange\\\\\\naddress\"} -1.0\n",
            "# TYPE cxi_retry_total counter\n",
            "cxi_retry_total{device=\"cxi0\",node=\"node1\"} 1523.0\n",
            "cxi_driver_loaded{module=\"cxi_ss1\",node=\"node1\"} 1.0\n",
            "cxi_last_scrape_timestamp_seconds{node=\"node1\"} 1.7E9\n");
  }

  @ParameterizedTest
  @EnumSource(MetricFamily.class)
  void everyMetricHasHelpAndType(MetricFamily family) throws IOException {
    assertThat(page())
        .contains(
            "# HELP %s %s\n".formatted(family.text(), family.help()),
            "# TYPE %s %s\n".formatted(family.text(), family.counts() ? "counter" : "gauge"));
  }

  /** It has an opinion about one name, which is the original's. */
  @Test
  void prometheusCanReadIt() throws IOException {
    CommandResult check = Promtool.run(page(), "check", "metrics");

    assertThat(check.standardOutput() + check.standardError())
        .isEqualToIgnoringNewLines(
            "cxi_device_count non-histogram and non-summary metrics should not have \"_count\" suffix");
  }
}
