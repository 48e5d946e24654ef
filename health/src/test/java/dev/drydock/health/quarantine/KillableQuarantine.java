package dev.drydock.health.quarantine;

import dev.drydock.health.rules.RuleFile;
import dev.drydock.health.store.EventStore;
import dev.drydock.kube.Kube;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Optional;

/** Quarantines in a process that is killed. */
public final class KillableQuarantine {
  private static final String RULES =
      """
      [circuitBreaker]
      percentage = 100
      minimumNodes = 1000
      duration = "5m"
      slowAtPercentage = 100

      [[rule-sets]]
      enabled = true
      name = "fatal"
      [[rule-sets.match.all]]
      kind = "HealthEvent"
      expression = "event.isFatal"
      [rule-sets.cordon]
      shouldCordon = true
      """;

  private KillableQuarantine() {}

  public static void start(Kube kube, EventStore store) {
    new QuarantineController(
            kube,
            store,
            RuleFile.parse(RULES, "rules.toml"),
            new QuarantineOptions("default", false, "nvidia.com/gpu.present", "true"),
            new QuarantineMetrics(new SimpleMeterRegistry(), false),
            Optional::empty)
        .start();
  }
}
