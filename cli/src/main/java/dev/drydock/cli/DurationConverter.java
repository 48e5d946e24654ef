package dev.drydock.cli;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts flag values with {@link Durations}. */
final class DurationConverter implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    Duration time = Durations.parse(text);
    if (time == null) {
      throw new TypeConversionException(
          "\"" + text + "\" is not a time; write it like 90s or 1h30m");
    }
    return time;
  }
}
