package dev.drydock.slingshot;

import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Fields;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** How far the nodes of each CXIDriver are. */
final class CxiMetrics {
  private static final List<String> STATES = List.of("ready", "updating", "failed");

  private final Supplier<List<ApiObject>> drivers;
  private final MultiGauge nodes;
  private final MultiGauge degraded;

  CxiMetrics(MeterRegistry meters, Supplier<List<ApiObject>> drivers) {
    this.drivers = drivers;
    nodes =
        MultiGauge.builder("drydock.cxi.driver.nodes")
            .description("Nodes of a CXIDriver by the state of their driver.")
            .register(meters);
    degraded =
        MultiGauge.builder("drydock.cxi.driver.degraded")
            .description("Whether a CXIDriver is degraded, with the reason.")
            .register(meters);
  }

  void refresh() {
    List<MultiGauge.Row<Number>> counts = new ArrayList<>();
    List<MultiGauge.Row<Number>> troubles = new ArrayList<>();
    for (ApiObject driver : drivers.get()) {
      for (String state : STATES) {
        counts.add(
            MultiGauge.Row.of(
                Tags.of("driver", driver.name(), "state", state),
                Fields.count(driver.status(), state)));
      }
      driver
          .conditions()
          .get("Degraded")
          .filter(_ -> driver.conditions().isTrue("Degraded"))
          .ifPresent(
              each ->
                  troubles.add(
                      MultiGauge.Row.of(
                          Tags.of("driver", driver.name(), "reason", Fields.text(each, "reason")),
                          1)));
    }
    nodes.register(counts, true);
    degraded.register(troubles, true);
  }
}
