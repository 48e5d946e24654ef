package dev.drydock.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Times as kubectl and its users write them: 500ms, 90s, 1h30m, or 0. */
public final class Durations {
  private static final Pattern PART = Pattern.compile("\\G(\\d{1,9})(ms|s|m|h)");

  private Durations() {}

  /** The time meant, or null if the text is none. */
  public static @Nullable Duration parse(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    Matcher part = PART.matcher(text);
    Duration sum = Duration.ZERO;
    int end = 0;
    while (part.find()) {
      long amount = Long.parseLong(part.group(1));
      sum =
          switch (part.group(2)) {
            case "ms" -> sum.plusMillis(amount);
            case "s" -> sum.plusSeconds(amount);
            case "m" -> sum.plusMinutes(amount);
            default -> sum.plusHours(amount);
          };
      end = part.end();
    }
    return end > 0 && end == text.length() ? sum : null;
  }
}
