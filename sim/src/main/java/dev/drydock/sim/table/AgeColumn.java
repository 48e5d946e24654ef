package dev.drydock.sim.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/** Ages for people: the older, the coarser. */
final class AgeColumn {
  private static final int DAYS_OF_YEAR = 365;

  private AgeColumn() {}

  static String since(JsonNode time, Instant now) {
    if (!time.isTextual()) {
      return "<unknown>";
    }
    try {
      return of(Duration.between(OffsetDateTime.parse(time.asText()).toInstant(), now));
    } catch (DateTimeParseException e) {
      // a custom resource may have any text here
      return "<invalid>";
    }
  }

  static String of(Duration age) {
    if (age.isNegative()) {
      return age.toSeconds() < -1 ? "<invalid>" : "0s";
    }
    if (age.toMinutes() < 2) {
      return age.toSeconds() + "s";
    }
    if (age.toMinutes() < 10) {
      return both(age.toMinutes(), "m", age.toSecondsPart(), "s");
    }
    if (age.toHours() < 3) {
      return age.toMinutes() + "m";
    }
    if (age.toHours() < 8) {
      return both(age.toHours(), "h", age.toMinutesPart(), "m");
    }
    if (age.toHours() < 48) {
      return age.toHours() + "h";
    }
    if (age.toDays() < 8) {
      return both(age.toDays(), "d", age.toHoursPart(), "h");
    }
    long years = age.toDays() / DAYS_OF_YEAR;
    if (years < 2) {
      return age.toDays() + "d";
    }
    return years < 8 ? both(years, "y", age.toDays() % DAYS_OF_YEAR, "d") : years + "y";
  }

  private static String both(long large, String unit, long small, String smallUnit) {
    return small == 0 ? large + unit : large + unit + small + smallUnit;
  }
}
