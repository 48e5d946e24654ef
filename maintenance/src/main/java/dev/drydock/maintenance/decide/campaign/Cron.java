package dev.drydock.maintenance.decide.campaign;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The local minutes of a cron schedule. As in every cron, a day matches if it matches both the day
 * of month and the day of week; but if both are restricted (neither begins with {@code *}), one
 * match is enough.
 *
 * <p>Each field is a bit set.
 */
public record Cron(
    long minutes, long hours, long daysOfMonth, long months, long daysOfWeek, boolean eitherDay) {
  private static final int LAST_MINUTE = 24 * 60 - 1;

  /**
   * Parses the usual five fields with names, ranges, steps and lists, or a word like {@code
   * @daily}.
   *
   * @throws IllegalArgumentException with one line that names the field and its allowed values
   */
  public static Cron parse(String text) {
    return CronParser.parse(text);
  }

  /** The first matching minute within these bounds, both inclusive. */
  Optional<LocalDateTime> next(LocalDateTime from, LocalDateTime limit) {
    LocalDateTime whole = from.truncatedTo(ChronoUnit.MINUTES);
    LocalDateTime start = whole.isBefore(from) ? whole.plusMinutes(1) : whole;
    int minute = minuteOfDay(start);
    LocalDate day = isPossible() ? start.toLocalDate() : LocalDate.MAX;
    while (!day.isAfter(limit.toLocalDate())) {
      if (fits(day)) {
        int found = minuteFrom(minute);
        if (found >= 0) {
          return Optional.of(at(day, found)).filter(time -> !time.isAfter(limit));
        }
      }
      day = hasMonth(day) ? day.plusDays(1) : day.withDayOfMonth(1).plusMonths(1);
      minute = 0;
    }
    return Optional.empty();
  }

  /** The last matching minute within these bounds, both inclusive. */
  Optional<LocalDateTime> previous(LocalDateTime from, LocalDateTime limit) {
    int minute = minuteOfDay(from);
    LocalDate day = isPossible() ? from.toLocalDate() : LocalDate.MIN;
    while (!day.isBefore(limit.toLocalDate())) {
      if (fits(day)) {
        int found = minuteUpTo(minute);
        if (found >= 0) {
          return Optional.of(at(day, found)).filter(time -> !time.isBefore(limit));
        }
      }
      day = hasMonth(day) ? day.minusDays(1) : day.withDayOfMonth(1).minusDays(1);
      minute = LAST_MINUTE;
    }
    return Optional.empty();
  }

  /** Whether a month has one of its days: 30 February never comes. */
  private boolean isPossible() {
    return eitherDay
        || Stream.of(Month.values())
            .filter(month -> has(months, month.getValue()))
            .anyMatch(month -> (daysOfMonth & upTo(month.maxLength())) != 0);
  }

  /** The longest time between one minute and the next of the same day, in minutes. */
  int longestGap() {
    int betweenHours = Long.bitCount(hours) < 2 ? 0 : longestGap(hours) * 60;
    int overHours =
        betweenHours == 0
            ? 0
            : betweenHours - highest(minutes) + Long.numberOfTrailingZeros(minutes);
    return Math.max(longestGap(minutes), overHours);
  }

  /** The longest distance between one bit and the next; 0 if there is only one. */
  private static int longestGap(long bits) {
    int longest = 0;
    long left = bits;
    while (Long.bitCount(left) > 1) {
      int first = Long.numberOfTrailingZeros(left);
      left &= left - 1;
      longest = Math.max(longest, Long.numberOfTrailingZeros(left) - first);
    }
    return longest;
  }

  /** The last minute of a day that matches. */
  LocalDateTime last(LocalDate day) {
    return at(day, minuteUpTo(LAST_MINUTE));
  }

  private boolean fits(LocalDate day) {
    boolean ofMonth = has(daysOfMonth, day.getDayOfMonth());
    boolean ofWeek = has(daysOfWeek, day.getDayOfWeek().getValue() % 7);
    return hasMonth(day) && (eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek);
  }

  private boolean hasMonth(LocalDate day) {
    return has(months, day.getMonthValue());
  }

  private int minuteFrom(int minuteOfDay) {
    int hour = minuteOfDay / 60;
    if (has(hours, hour)) {
      long left = minutes >>> (minuteOfDay % 60);
      if (left != 0) {
        return minuteOfDay + Long.numberOfTrailingZeros(left);
      }
    }
    long later = hour >= 23 ? 0 : hours >>> (hour + 1);
    if (later == 0) {
      return -1;
    }
    return (hour + 1 + Long.numberOfTrailingZeros(later)) * 60
        + Long.numberOfTrailingZeros(minutes);
  }

  private int minuteUpTo(int minuteOfDay) {
    int hour = minuteOfDay / 60;
    if (has(hours, hour)) {
      long left = minutes & upTo(minuteOfDay % 60);
      if (left != 0) {
        return hour * 60 + highest(left);
      }
    }
    long earlier = hour == 0 ? 0 : hours & upTo(hour - 1);
    return earlier == 0 ? -1 : highest(earlier) * 60 + highest(minutes);
  }

  private static long upTo(int bit) {
    return (1L << (bit + 1)) - 1;
  }

  private static int highest(long bits) {
    return 63 - Long.numberOfLeadingZeros(bits);
  }

  private static boolean has(long bits, int value) {
    return (bits >>> value & 1) == 1;
  }

  private static int minuteOfDay(LocalDateTime time) {
    return time.getHour() * 60 + time.getMinute();
  }

  private static LocalDateTime at(LocalDate day, int minuteOfDay) {
    return day.atTime(LocalTime.of(minuteOfDay / 60, minuteOfDay % 60));
  }
}
