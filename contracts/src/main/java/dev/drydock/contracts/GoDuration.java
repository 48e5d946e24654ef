package dev.drydock.contracts;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go and Kubernetes write them: {@code 5h}, {@code 1h30m}, {@code 1.5h}. */
public final class GoDuration {
  private static final long HOUR = 3_600_000_000_000L;

  private static final Pattern PART =
      Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)(ns|us|µs|ms|s|m|h)");
  private static final Pattern WHOLE = Pattern.compile("(?:" + PART.pattern() + ")+");

  private GoDuration() {}

  /**
   * Parses a duration greater than zero.
   *
   * @throws IllegalArgumentException with one line for the user
   */
  public static Duration parse(String text) {
    if (!WHOLE.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not a duration; write it like 4h, 30m or 1h30m");
    }
    return find(text)
        .filter(Duration::isPositive)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "\"%s\" must be more than 0 and at most %dh (100 years)"
                        .formatted(text, Limits.MOST_HOURS)));
  }

  /**
   * Empty if the text is not a duration, or is more than 100 years: that is a typing error, and
   * adding it to an instant could overflow. Zero may also be written as {@code 0}.
   */
  public static Optional<Duration> find(String text) {
    if (text.equals("0")) {
      return Optional.of(Duration.ZERO);
    }
    if (!WHOLE.matcher(text).matches()) {
      return Optional.empty();
    }
    BigInteger nanos = BigInteger.ZERO;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      BigDecimal unit = BigDecimal.valueOf(nanosOf(part.group(2)));
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(unit).toBigInteger());
    }
    return nanos.compareTo(BigInteger.valueOf(Limits.MOST_HOURS * HOUR)) > 0
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(nanos.longValue()));
  }

  private static long nanosOf(String unit) {
    return switch (unit) {
      case "ns" -> 1;
      case "us", "µs" -> 1_000;
      case "ms" -> 1_000_000;
      case "s" -> 1_000_000_000L;
      case "m" -> 60_000_000_000L;
      default -> HOUR;
    };
  }

  /** Exactly, as Go and with it Kubernetes writes it: {@code 5m0s}, {@code 1.5s}, {@code 300ms}. */
  public static String text(Duration time) {
    if (time.compareTo(Duration.ofSeconds(1)) < 0) {
      long nanos = time.toNanos();
      return nanos == 0
          ? "0s"
          : nanos < 1_000
              ? nanos + "ns"
              : nanos < 1_000_000 ? decimal(nanos, 3) + "us" : decimal(nanos, 6) + "ms";
    }
    String seconds = decimal(time.toSecondsPart() * 1_000_000_000L + time.toNanosPart(), 9) + "s";
    String minutes = time.toMinutes() == 0 ? "" : time.toMinutesPart() + "m";
    return (time.toHours() == 0 ? "" : time.toHours() + "h") + minutes + seconds;
  }

  private static String decimal(long number, int places) {
    return BigDecimal.valueOf(number, places).stripTrailingZeros().toPlainString();
  }

  /** For people: hours, minutes and seconds, without zero parts; no less than zero. */
  public static String words(Duration time) {
    Duration seconds = Duration.ofSeconds(Math.max(0, time.plusMillis(500).toSeconds()));
    StringBuilder words = new StringBuilder();
    append(words, seconds.toHours(), 'h');
    append(words, seconds.toMinutesPart(), 'm');
    append(words, seconds.toSecondsPart(), 's');
    return words.isEmpty() ? "0s" : words.toString();
  }

  /** For people, in two parts: {@code 850ms}, {@code 4.2s}, {@code 3m05s}, {@code 1h20m}. */
  public static String brief(Duration time) {
    if (time.compareTo(Duration.ofSeconds(1)) < 0) {
      return time.toMillis() + "ms";
    }
    if (time.toMinutes() == 0) {
      return String.format(Locale.ROOT, "%d.%ds", time.toSeconds(), time.toMillisPart() / 100);
    }
    if (time.toHours() == 0) {
      return String.format(Locale.ROOT, "%dm%02ds", time.toMinutes(), time.toSecondsPart());
    }
    return String.format(Locale.ROOT, "%dh%02dm", time.toHours(), time.toMinutesPart());
  }

  private static void append(StringBuilder words, long count, char unit) {
    if (count != 0) {
      words.append(count).append(unit);
    }
  }
}
