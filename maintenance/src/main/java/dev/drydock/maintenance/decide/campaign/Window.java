package dev.drydock.maintenance.decide.campaign;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;

/** Time intervals: a single one, or repeated by a schedule. */
public sealed interface Window {
  /** The end of the interval that contains this time, if any. */
  Optional<Instant> coveredUntil(Instant time);

  /** The start of the next interval, after one time and not after the other. */
  Optional<Instant> nextStart(Instant after, Instant limit);

  /** A single interval, without its end. */
  record Once(Instant from, Instant to) implements Window {
    @Override
    public Optional<Instant> coveredUntil(Instant time) {
      boolean covered = !time.isBefore(from) && time.isBefore(to);
      return covered ? Optional.of(to) : Optional.empty();
    }

    @Override
    public Optional<Instant> nextStart(Instant after, Instant limit) {
      return from.isAfter(after) && !from.isAfter(limit) ? Optional.of(from) : Optional.empty();
    }
  }

  /**
   * An interval from each minute of a schedule, with a duration in elapsed time, independent of
   * clock changes.
   *
   * <p>When clocks go forward, a start in the skipped hour moves to the time of the change. When
   * they go back, a start in the repeated hour counts only the first time.
   */
  record Recurring(Cron cron, ZoneId zone, Duration duration) implements Window {
    @Override
    public Optional<Instant> coveredUntil(Instant time) {
      LocalDateTime local = LocalDateTime.ofInstant(time, zone);
      ZoneOffsetTransition change = zone.getRules().getTransition(local);
      if (change != null && change.isOverlap() && !time.isBefore(change.getInstant())) {
        // in the repeated hour, all of it has counted already
        local = change.getDateTimeBefore().minusMinutes(1);
      }
      // one day more than requested, because no clock change is larger
      LocalDateTime limit = local.minus(duration).minusDays(1);
      return cron.previous(local, limit)
          .map(start -> instant(start).plus(duration))
          .filter(time::isBefore);
    }

    @Override
    public Optional<Instant> nextStart(Instant after, Instant limit) {
      LocalDateTime last = LocalDateTime.ofInstant(limit, zone);
      // a nanosecond earlier: starts that were skipped by a clock change begin at the change itself
      LocalDateTime from =
          LocalDateTime.ofInstant(after.minusNanos(1), zone).truncatedTo(ChronoUnit.MINUTES);
      Optional<LocalDateTime> found = cron.next(from, last);
      while (found.isPresent() && !instant(found.get()).isAfter(after)) {
        found = cron.next(found.get().plusMinutes(1), last);
      }
      return found.map(this::instant).filter(start -> !start.isAfter(limit));
    }

    private Instant instant(LocalDateTime local) {
      ZoneOffsetTransition change = zone.getRules().getTransition(local);
      if (change != null && change.isGap()) {
        return change.getInstant();
      }
      return local.atZone(zone).toInstant();
    }
  }
}
