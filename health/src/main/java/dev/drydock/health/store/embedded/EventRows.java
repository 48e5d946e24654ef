package dev.drydock.health.store.embedded;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthEventStatus;
import dev.drydock.health.event.EventMessages;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.health.wire.HealthEventProto;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Rows of the events' table. */
final class EventRows {
  static final String COLUMNS = "seq, generation, created, body, status, episode";

  private static final int GENERATION_DIGITS = 8;
  private static final int DIGITS = 24;

  private EventRows() {}

  /** Twenty-four hex digits: the generation of the file, then the number of the event. */
  static String id(long generation, long seq) {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(generation, GENERATION_DIGITS)
        + hex.toHexDigits(seq, DIGITS - GENERATION_DIGITS);
  }

  /** Empty for what is no id of this store. */
  static OptionalLong seq(String id) {
    return id.matches("[0-9a-f]{24}")
        ? OptionalLong.of(HexFormat.fromHexDigitsToLong(id, GENERATION_DIGITS, DIGITS))
        : OptionalLong.empty();
  }

  static StoredEvent read(ResultSet row) throws SQLException {
    String id = id(row.getLong("generation"), row.getLong("seq"));
    try {
      HealthEvent event =
          EventMessages.event(
              HealthEventProto.HealthEvent.parseFrom(row.getBytes("body")).toBuilder()
                  .setId(id)
                  .build());
      return new StoredEvent(
          id, instant(row.getLong("created")), event, status(row), row.getString("episode"));
    } catch (InvalidProtocolBufferException damaged) {
      throw new SQLException("event " + id + " is damaged: " + damaged.getMessage(), damaged);
    }
  }

  static HealthEventStatus status(ResultSet row) throws SQLException {
    try {
      return EventMessages.status(
          HealthEventProto.HealthEventStatus.parseFrom(row.getBytes("status")));
    } catch (InvalidProtocolBufferException damaged) {
      throw new SQLException("a status is damaged: " + damaged.getMessage(), damaged);
    }
  }

  static long micros(Instant time) {
    return TimeUnit.SECONDS.toMicros(time.getEpochSecond())
        + TimeUnit.NANOSECONDS.toMicros(time.getNano());
  }

  static Instant instant(long micros) {
    long second = TimeUnit.SECONDS.toMicros(1);
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, second),
        TimeUnit.MICROSECONDS.toNanos(Math.floorMod(micros, second)));
  }
}
