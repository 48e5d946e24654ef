package dev.drydock.sim.table;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.Ages;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/** Ages for people: the older, the coarser. */
final class AgeColumn {
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
    return age.toSeconds() < -1 ? "<invalid>" : Ages.of(age);
  }
}
