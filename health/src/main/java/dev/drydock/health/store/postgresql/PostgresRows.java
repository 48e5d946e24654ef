package dev.drydock.health.store.postgresql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.drydock.health.store.StatusDocument;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rows of the events' table. */
final class PostgresRows {
  static final String COLUMNS = "h.id, h.created_at, h.document";

  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final String ZERO = "\u0000";
  private static final String ESCAPED_ZERO = "\\u0000";
  private static final String REPLACEMENT = "\ufffd";

  private PostgresRows() {}

  /** Empty for what is no id of this store. */
  static Optional<UUID> id(String text) {
    return UUID_TEXT.matcher(text).matches()
        ? Optional.of(UUID.fromString(text))
        : Optional.empty();
  }

  /** An id of version 7, so that ids are in the order of their times, to the microsecond. */
  static UUID newId(long micros) {
    long millis = TimeUnit.MICROSECONDS.toMillis(micros);
    long rest = micros - TimeUnit.MILLISECONDS.toMicros(millis);
    return new UUID(
        millis << 16 | 7L << 12 | rest,
        ThreadLocalRandom.current().nextLong() >>> 2 | Long.MIN_VALUE);
  }

  static long micros(Instant time) {
    return TimeUnit.SECONDS.toMicros(time.getEpochSecond())
        + TimeUnit.NANOSECONDS.toMicros(time.getNano());
  }

  static OffsetDateTime time(long micros) {
    long second = TimeUnit.SECONDS.toMicros(1);
    return time(
        Instant.ofEpochSecond(
            Math.floorDiv(micros, second),
            TimeUnit.MICROSECONDS.toNanos(Math.floorMod(micros, second))));
  }

  static OffsetDateTime time(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }

  static Instant instant(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? Instant.EPOCH : time.toInstant();
  }

  static StoredEvent read(ResultSet row) throws SQLException {
    return StatusDocument.read(
        row.getString("id"), instant(row, "created_at"), json(row.getString("document")));
  }

  static JsonNode json(@Nullable String text) throws SQLException {
    try {
      return text == null ? MissingNode.getInstance() : Json.read(text);
    } catch (IOException damaged) {
      throw new SQLException("the server's JSON is damaged: " + damaged.getMessage(), damaged);
    }
  }

  /** The server has no zero characters; monitors may send some. */
  static String text(ObjectNode document) {
    String text = document.toString();
    if (text.contains(ESCAPED_ZERO)) {
      clean(document);
      return document.toString();
    }
    return text;
  }

  private static void clean(ObjectNode object) {
    ObjectNode cleaned = Json.object();
    object
        .properties()
        .forEach(entry -> cleaned.set(clean(entry.getKey()), clean(entry.getValue())));
    object.removeAll();
    object.setAll(cleaned);
  }

  private static JsonNode clean(JsonNode value) {
    return switch (value) {
      case TextNode text -> TextNode.valueOf(clean(text.textValue()));
      case ArrayNode list -> {
        ArrayNode cleaned = Json.array();
        list.forEach(each -> cleaned.add(clean(each)));
        yield cleaned;
      }
      case ObjectNode object -> {
        clean(object);
        yield object;
      }
      default -> value;
    };
  }

  private static String clean(String text) {
    return text.replace(ZERO, REPLACEMENT);
  }

  /** For a column of this length; the document has the whole. */
  static String fitting(String text, int length) {
    String clean = clean(text);
    return clean.length() <= length ? clean : clean.substring(0, length);
  }
}
