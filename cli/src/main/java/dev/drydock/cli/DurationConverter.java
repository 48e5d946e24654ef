package dev.drydock.cli;

import dev.drydock.contracts.GoDuration;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts flag values with {@link GoDuration}. */
final class DurationConverter implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    return GoDuration.find(text)
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "\"" + text + "\" is not a time; write it like 90s or 1h30m"));
  }
}
