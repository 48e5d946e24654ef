package dev.drydock.maintenance.metrics;

import dev.drydock.maintenance.control.MaintenanceController;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Measures how long maintenances stay in their states, with the moments that dashboards expect: a
 * state ends with the next one or with the deletion, and the completion is counted from the
 * deletion on.
 */
public record MaintenanceFigures(MaintenanceMetrics metrics)
    implements MaintenanceController.Watcher {
  /** The first state has none before it, so nothing is measured then. */
  @Override
  public void left(NotifyMaintenanceObject before, NotifyMaintenanceObject after) {
    after.lastTransition().ifPresent(at -> spent(before, at));
  }

  @Override
  public void deleted(NotifyMaintenanceObject seen) {
    seen.deletedAt().ifPresent(at -> spent(seen, at));
  }

  /** A clock that is behind shows a negative time, which says nothing. */
  private void spent(NotifyMaintenanceObject in, Instant until) {
    in.lastTransition()
        .map(since -> Duration.between(since, until))
        .filter(stay -> !stay.isNegative())
        .ifPresent(stay -> metrics.spent(sample(in), in.facts().state().text(), stay));
  }

  @Override
  public void completed(NotifyMaintenanceObject before, Instant now) {
    Optional<Instant> since = before.deletedAt().or(before::lastTransition);
    metrics.completed(
        sample(before), since.map(from -> Duration.between(from, now)).orElse(Duration.ZERO));
  }

  private static MaintenanceSample sample(NotifyMaintenanceObject seen) {
    return MaintenanceSample.read(seen.object().root());
  }
}
