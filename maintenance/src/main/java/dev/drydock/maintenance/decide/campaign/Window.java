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
  /** Until when this time and all after it are covered, at least; absent if it is not covered. */
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
          .filter(start -> time.isBefore(instant(start).plus(duration)))
          .map(start -> instant(lastInSeries(start)).plus(duration));
    }

    /**
     * The last start of the same day, if each one up to it comes before the previous interval ends;
     * but none after a clock change, which may lengthen the time between two starts.
     */
    private LocalDateTime lastInSeries(LocalDateTime start) {
      if (Duration.ofMinutes(cron.longestGap()).compareTo(duration) > 0) {
        return start;
      }
      LocalDateTime last = cron.last(start.toLocalDate());
      ZoneOffsetTransition change = zone.getRules().nextTransition(instant(start));
      if (change == null || change.getInstant().isAfter(instant(last))) {
        return last;
      }
      return cron.previous(change.getDateTimeBefore().minusMinutes(1), start).orElse(start);
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
