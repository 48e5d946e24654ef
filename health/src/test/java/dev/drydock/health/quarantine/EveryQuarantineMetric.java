package dev.drydock.health.quarantine;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.consume.PendingEvents;
import dev.drydock.health.decide.Breaker;
import dev.drydock.health.decide.BreakerLimits;
import dev.drydock.health.decide.NodeTaint;
import dev.drydock.health.rules.QuarantineRules;
import dev.drydock.health.rules.RuleSet;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** All numbers of quarantines, for tests of their names. */
public final class EveryQuarantineMetric {
  private EveryQuarantineMetric() {}

  public static void count(MeterRegistry registry, QuarantineRules rules) {
    QuarantineMetrics metrics = new QuarantineMetrics(registry, true);
    metrics.received();
    metrics.processed(Duration.ofSeconds(1));
    metrics.failed("error");
    metrics.evaluated(rules.sets().getFirst(), RuleSet.Verdict.PASSED);
    metrics.quarantined("n", Duration.ofSeconds(1));
    metrics.unquarantined(
        "n",
        HealthEvent.builder().nodeName("n").build(),
        Duration.ofSeconds(2),
        Duration.ofSeconds(1));
    metrics.untracked("check");
    metrics.uncordonedManually("n");
    metrics.untaintedManually("n");
    metrics.tainted(new NodeTaint("key", "value", "NoSchedule"));
    metrics.untainted();
    metrics.cordoned();
    metrics.uncordoned();
    metrics.labelled("key", true);
    metrics.labelled("key", false);
    metrics.relisted();
    metrics.replayed("processed");
    metrics.coldStarted(Duration.ofSeconds(1));
    metrics.refresh(
        List.of("n"),
        Breaker.closed(BreakerLimits.standard()),
        new Breaker.Fleet(1, Map.of()),
        new PendingEvents(),
        Instant.EPOCH);
  }
}
