package dev.drydock.maintenance.decide.campaign;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;

/** Stretches of time: one, or one after the other by a schedule. */
public sealed interface Window {
  /** If a stretch covers that moment, when it ends. */
  Optional<Instant> coveredUntil(Instant time);

  /** When the next stretch begins, after one moment and not after the other. */
  Optional<Instant> nextStart(Instant after, Instant limit);

  /** A single stretch, without its end. */
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
   * A stretch from each minute of a schedule, as long as said: that is real time, whatever the
   * clocks on the wall do meanwhile.
   *
   * <p>When clocks are put forward, a beginning in the hour that does not exist moves to the moment
   * of the change. When they are put back, a beginning in the hour that comes twice counts the
   * first time only.
   */
  record Recurring(Cron cron, ZoneId zone, Duration duration) implements Window {
    @Override
    public Optional<Instant> coveredUntil(Instant time) {
      LocalDateTime local = LocalDateTime.ofInstant(time, zone);
      ZoneOffsetTransition change = zone.getRules().getTransition(local);
      if (change != null && change.isOverlap() && !time.isBefore(change.getInstant())) {
        // the second time round: all of the doubled hour has been already
        local = change.getDateTimeBefore().minusMinutes(1);
      }
      // a day more than asked for, as no clock is put forward or back by more
      LocalDateTime limit = local.minus(duration).minusDays(1);
      return cron.previous(local, limit)
          .map(start -> instant(start).plus(duration))
          .filter(time::isBefore);
    }

    @Override
    public Optional<Instant> nextStart(Instant after, Instant limit) {
      LocalDateTime last = LocalDateTime.ofInstant(limit, zone);
      // a nanosecond back: what was skipped when clocks went forward begins at the change itself
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
