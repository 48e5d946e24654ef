package dev.drydock.slingshot.decide;

import dev.drydock.contracts.cxi.CXIDeviceStatus.HealthStatus;
import dev.drydock.contracts.cxi.CXIDriverSpec.RetryHandlerMode;
import dev.drydock.contracts.cxi.DriverReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Whether a node is fit to return with the driver that its agent reports. */
final class DriverHealthCheck {
  private static final List<String> MODULES = List.of("cxi_ss1", "cxi_user");

  private final EffectiveSpec spec;
  private final CxiNode node;
  private final NodeBaseline before;

  DriverHealthCheck(EffectiveSpec spec, CxiNode node, NodeBaseline before) {
    this.spec = spec;
    this.node = node;
    this.before = before;
  }

  /** What is missing, and may still come; empty if the node is healthy. */
  List<String> problems(DriverReport report) {
    List<String> problems = new ArrayList<>();
    if (!node.ready()) {
      problems.add("the node is not ready");
    }
    List<String> loaded = report.modules() == null ? List.of() : report.modules();
    MODULES.stream()
        .filter(module -> !loaded.contains(module))
        .forEach(module -> problems.add("module " + module + " is not loaded"));
    before
        .linksUp()
        .forEach(
            (name, wasUp) -> {
              CxiNode.Device device = node.devices().get(name);
              if (device == null) {
                problems.add("device " + name + " is gone");
              } else if (wasUp && !device.up()) {
                problems.add("the link of " + name + " is down");
              } else if (wasUp && device.health() == HealthStatus.Unhealthy) {
                problems.add("device %s is unhealthy: %s".formatted(name, device.message()));
              }
            });
    if (spec.retryHandler().mode() == RetryHandlerMode.daemonset) {
      node.devices()
          .forEach(
              (name, device) -> {
                if (!device.retryHandlerRuns()) {
                  problems.add("no retry handler runs for " + name);
                }
              });
    }
    String resource = spec.devicePlugin().resourceName();
    if (spec.devicePlugin().enabled()
        && before.linksUp().containsValue(true)
        && node.allocatable().getOrDefault(resource, 0L) < 1) {
      problems.add("the device plugin offers no " + resource);
    }
    return problems;
  }

  /** What the devices counted too much of since the check began. */
  List<String> exceeded(Instant now) {
    Instant since = before.checkedSince().orElse(now);
    List<String> all = new ArrayList<>();
    node.devices()
        .forEach(
            (name, device) ->
                all.addAll(
                    spec.update()
                        .gate()
                        .exceeded(
                            name,
                            before.counters().getOrDefault(name, CounterGate.Counters.ZERO),
                            device.counters(),
                            Duration.between(since, now))));
    return all;
  }
}
