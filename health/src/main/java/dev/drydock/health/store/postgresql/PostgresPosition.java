package dev.drydock.health.store.postgresql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.Json;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A position in the change log: the number of a row, and its time, by which a row of a restored
 * database is told from the one that had its number before. As text {@code NUMBER:MICROSECONDS}.
 *
 * @param number of the row; 0 for none
 * @param micros empty in a position that the original saved
 */
record PostgresPosition(long number, OptionalLong micros) {
  private static final PostgresPosition NONE = new PostgresPosition(0, OptionalLong.empty());

  static PostgresPosition of(long number, Instant changed) {
    return new PostgresPosition(number, OptionalLong.of(PostgresRows.micros(changed)));
  }

  String token() {
    return number + ":" + (micros.isPresent() ? Long.toString(micros.getAsLong()) : "");
  }

  /** With no row for what is no position. */
  static PostgresPosition parse(String token) {
    String[] parts = token.split(":", -1);
    if (parts.length != 2 || !parts[0].matches("\\d{1,18}") || !parts[1].matches("\\d{0,18}")) {
      return NONE;
    }
    return new PostgresPosition(
        Long.parseLong(parts[0]),
        parts[1].isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(parts[1])));
  }

  boolean isAt(Instant changed) {
    return micros.isEmpty() || micros.getAsLong() == PostgresRows.micros(changed);
  }

  /**
   * As the table of resume tokens has it, with the original's two fields.
   *
   * @param token a position, or a list under way that ends with one
   */
  static String json(String token) {
    PostgresPosition position = parse(token.substring(token.lastIndexOf(' ') + 1));
    ObjectNode json = Json.object().put("token", token).put("eventID", position.number());
    position
        .micros()
        .ifPresent(
            micros -> json.put("timestamp", PostgresRows.time(micros).toInstant().toString()));
    return json.toString();
  }

  /** The token of ours, or of the original; empty if there is neither. */
  static Optional<String> token(JsonNode json) {
    String ours = json.path("token").asText("");
    if (!ours.isEmpty()) {
      return Optional.of(ours);
    }
    long number = json.path("eventID").asLong(0);
    return number > 0
        ? Optional.of(new PostgresPosition(number, OptionalLong.empty()).token())
        : Optional.empty();
  }
}
