package dev.drydock.contracts;

import java.time.Duration;
import java.time.Instant;

/** Ages as in kubectl's AGE column: the longer, the coarser. */
public final class Ages {
  private static final int DAYS_OF_YEAR = 365;

  private Ages() {}

  public static String between(Instant from, Instant to) {
    return of(Duration.between(from, to));
  }

  public static String of(Duration age) {
    if (age.isNegative()) {
      return "0s";
    }
    long minutes = age.toMinutes();
    long hours = age.toHours();
    long days = age.toDays();
    if (minutes < 2) {
      return age.toSeconds() + "s";
    }
    if (hours < 3) {
      return minutes < 10 ? with(minutes, "m", age.toSecondsPart(), "s") : minutes + "m";
    }
    if (days < 2) {
      return hours < 8 ? with(hours, "h", age.toMinutesPart(), "m") : hours + "h";
    }
    long years = days / DAYS_OF_YEAR;
    if (years < 2) {
      return days < 8 ? with(days, "d", age.toHoursPart(), "h") : days + "d";
    }
    return years < 8 ? with(years, "y", days % DAYS_OF_YEAR, "d") : years + "y";
  }

  private static String with(long large, String unit, long rest, String smallUnit) {
    return large + unit + (rest == 0 ? "" : rest + smallUnit);
  }
}
