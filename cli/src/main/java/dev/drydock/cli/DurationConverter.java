package dev.drydock.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads times as kubectl takes them: 500ms, 90s, 1h30m, or 0. */
final class DurationConverter implements ITypeConverter<Duration> {
  private static final Pattern PART = Pattern.compile("\\G(\\d{1,9})(ms|s|m|h)");

  @Override
  public Duration convert(String text) {
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
    if (end == 0 || end != text.length()) {
      throw new TypeConversionException(
          "\"" + text + "\" is not a time; write it like 90s or 1h30m");
    }
    return sum;
  }
}
