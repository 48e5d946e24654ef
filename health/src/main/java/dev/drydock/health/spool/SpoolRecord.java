package dev.drydock.health.spool;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A batch in the spool.
 *
 * @param number counted from 1; never given twice in a spool
 * @param millis when it was taken
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record SpoolRecord(long number, long millis, byte[] payload) {
  /** Length, checksum, number, time. */
  static final int HEADER = Integer.BYTES + Integer.BYTES + Long.BYTES + Long.BYTES;

  private static final int AFTER_CHECKSUM = 2 * Integer.BYTES;

  int size() {
    return HEADER + payload.length;
  }

  static long number(ByteBuffer header) {
    return header.getLong(AFTER_CHECKSUM);
  }

  void write(ByteBuffer to) {
    int start = to.position();
    to.putInt(payload.length).putInt(0).putLong(number).putLong(millis).put(payload);
    to.putInt(start + Integer.BYTES, checksum(to, start, size()));
  }

  private static int checksum(ByteBuffer buffer, int start, int size) {
    CRC32C sum = new CRC32C();
    // the length, too: a torn one must not pass
    sum.update(buffer.duplicate().limit(start + Integer.BYTES).position(start));
    sum.update(buffer.duplicate().limit(start + size).position(start + AFTER_CHECKSUM));
    return (int) sum.getValue();
  }

  /** Moves behind the record. Empty, and nothing is moved, if there is no whole one. */
  static Optional<SpoolRecord> read(ByteBuffer from) {
    int start = from.position();
    if (from.remaining() < HEADER) {
      return Optional.empty();
    }
    int length = from.getInt(start);
    if (length < 0 || length > from.remaining() - HEADER) {
      return Optional.empty();
    }
    if (from.getInt(start + Integer.BYTES) != checksum(from, start, HEADER + length)) {
      return Optional.empty();
    }
    byte[] payload = new byte[length];
    from.get(start + HEADER, payload);
    from.position(start + HEADER + length);
    return Optional.of(
        new SpoolRecord(
            from.getLong(start + AFTER_CHECKSUM),
            from.getLong(start + AFTER_CHECKSUM + Long.BYTES),
            payload));
  }
}
