package dev.drydock.health.remediation;

import dev.drydock.health.decide.StateLabel;
import dev.drydock.health.remediation.decide.MaintenanceKind;
import dev.drydock.health.remediation.decide.MaintenanceReference;
import dev.drydock.health.remediation.decide.RemediationAttempt;
import dev.drydock.health.remediation.decide.RemediationNote;
import dev.drydock.health.remediation.decide.RemediationStep.Refusal;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** All numbers of remediation, for tests of their names. */
public final class EveryRemediationMetric {
  private EveryRemediationMetric() {}

  public static void count(MeterRegistry registry) {
    RemediationMetrics metrics = new RemediationMetrics(registry);
    metrics.received();
    metrics.processed(Duration.ofSeconds(1));
    metrics.refused(Refusal.UNSUPPORTED, "RESTART_VM");
    metrics.failed("error");
    metrics.made(Duration.ofSeconds(1));
    metrics
        .stateChanges()
        .unexpected(Optional.of(StateLabel.DRAINING), Optional.of(StateLabel.REMEDIATING));
    metrics.noted(
        new RemediationNote(
            RemediationNote.Kind.STARTED,
            new RemediationAttempt(
                "episode",
                "restart",
                1,
                "RESTART_VM",
                new MaintenanceReference(
                    new MaintenanceKind("janitor.dgxc.nvidia.com", "v1", "RebootNode", "", ""),
                    "name"),
                "event",
                Instant.EPOCH,
                true,
                "",
                false,
                Optional.empty(),
                Optional.empty())));
    metrics.relisted();
    metrics.refresh(1, 0);
  }
}
