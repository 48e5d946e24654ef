package dev.drydock.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations as kubectl's users write them: 500ms, 90s, 1h30m, 1.5h, or 0. */
public final class Durations {
  private static final Pattern PART =
      Pattern.compile("\\G(\\d{1,9}(?:\\.\\d{1,9})?)(ns|us|µs|ms|s|m|h)");

  private Durations() {}

  /** The parsed duration, or null if the text is not a duration. */
  public static @Nullable Duration parse(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    Matcher part = PART.matcher(text);
    Duration sum = Duration.ZERO;
    int end = 0;
    while (part.find()) {
      sum = sum.plus(time(new BigDecimal(part.group(1)), part.group(2)));
      end = part.end();
    }
    return end > 0 && end == text.length() ? sum : null;
  }

  private static Duration time(BigDecimal amount, String unit) {
    Duration one =
        switch (unit) {
          case "ns" -> Duration.ofNanos(1);
          case "us", "µs" -> Duration.ofNanos(1_000);
          case "ms" -> Duration.ofMillis(1);
          case "s" -> Duration.ofSeconds(1);
          case "m" -> Duration.ofMinutes(1);
          default -> Duration.ofHours(1);
        };
    BigDecimal seconds = amount.multiply(BigDecimal.valueOf(one.toNanos())).movePointLeft(9);
    long whole = seconds.longValue();
    return Duration.ofSeconds(
        whole, seconds.subtract(BigDecimal.valueOf(whole)).movePointRight(9).longValue());
  }
}
