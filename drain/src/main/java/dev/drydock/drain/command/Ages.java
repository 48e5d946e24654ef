package dev.drydock.drain.command;

import java.time.Duration;
import java.time.Instant;

/** Ages as in kubectl's AGE column: the longer, the coarser. */
public final class Ages {
  private Ages() {}

  public static String between(Instant from, Instant to) {
    Duration time = Duration.between(from, to);
    if (time.isNegative()) {
      return "0s";
    }
    long seconds = time.toSeconds();
    long minutes = time.toMinutes();
    long hours = time.toHours();
    long days = time.toDays();
    if (minutes < 2) {
      return seconds + "s";
    }
    if (hours < 3) {
      return minutes < 10 ? with(minutes, "m", seconds % 60, "s") : minutes + "m";
    }
    if (days < 2) {
      return hours < 8 ? with(hours, "h", minutes % 60, "m") : hours + "h";
    }
    return days < 8 ? with(days, "d", hours % 24, "h") : days + "d";
  }

  private static String with(long large, String unit, long rest, String smallUnit) {
    return large + unit + (rest == 0 ? "" : rest + smallUnit);
  }
}
