package dev.drydock.health.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;

/** One file of the spool: records one after the other. Its name is the number of the first. */
final class SpoolSegment implements AutoCloseable {
  private static final String SUFFIX = ".spool";
  private static final int READ_AHEAD = 1 << 20;

  private final String name;
  private final long first;
  private final SpoolFiles.SpoolFile file;

  /** The end of what is durable. */
  private volatile long end;

  private volatile long last;

  private SpoolSegment(String name, long first, SpoolFiles.SpoolFile file) {
    this.name = name;
    this.first = first;
    this.file = file;
    last = first - 1;
  }

  static boolean isName(String name) {
    return name.matches("[0-9a-f]{16}" + SUFFIX);
  }

  static String name(long first) {
    return HexFormat.of().toHexDigits(first) + SUFFIX;
  }

  static SpoolSegment open(SpoolFiles files, String name) throws IOException {
    long first = HexFormat.fromHexDigitsToLong(name, 0, name.length() - SUFFIX.length());
    return new SpoolSegment(name, first, files.open(name));
  }

  /**
   * Finds the end of the whole records.
   *
   * @param cut whether to cut off what a crash has left behind it
   * @return how many bytes are behind it
   */
  long recover(boolean cut) throws IOException {
    long at = 0;
    Optional<SpoolRecord> record = read(0, file.size());
    while (record.isPresent() && record.get().number() == last + 1) {
      at += record.get().size();
      last = record.get().number();
      record = read(at, file.size());
    }
    end = at;
    long torn = file.size() - end;
    if (torn > 0 && cut) {
      file.truncate(end);
      file.force();
    }
    return torn;
  }

  String name() {
    return name;
  }

  long first() {
    return first;
  }

  long last() {
    return last;
  }

  long end() {
    return end;
  }

  /** Durable when it returns; otherwise nothing of it is there. */
  void append(ByteBuffer records, long lastNumber) throws IOException {
    boolean durable = false;
    long after = end + records.remaining();
    try {
      file.write(records, end);
      file.force();
      durable = true;
    } finally {
      if (!durable) {
        file.truncate(end);
      }
    }
    end = after;
    last = lastNumber;
  }

  /** The offset behind the records up to a number. */
  long skip(long from, long number) throws IOException {
    long offset = from;
    ByteBuffer header = ByteBuffer.allocate(SpoolRecord.HEADER);
    while (end - offset >= SpoolRecord.HEADER) {
      file.read(header.clear(), offset);
      if (SpoolRecord.number(header) > number) {
        return offset;
      }
      offset += SpoolRecord.HEADER + header.getInt(0);
    }
    return offset;
  }

  /** The record at an offset; empty at the end. */
  Optional<SpoolRecord> read(long offset) throws IOException {
    return read(offset, end);
  }

  private Optional<SpoolRecord> read(long offset, long limit) throws IOException {
    long left = limit - offset;
    if (left < SpoolRecord.HEADER) {
      return Optional.empty();
    }
    ByteBuffer header = ByteBuffer.allocate(Integer.BYTES);
    file.read(header, offset);
    long size = SpoolRecord.HEADER + (long) header.getInt(0);
    if (size < SpoolRecord.HEADER || size > left) {
      return Optional.empty();
    }
    ByteBuffer whole = ByteBuffer.allocate((int) size);
    file.read(whole, offset);
    return SpoolRecord.read(whole.flip());
  }

  /** Several records at once: one system call for many small ones. */
  ByteBuffer readAhead(long offset) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(READ_AHEAD, end - offset));
    file.read(buffer, offset);
    return buffer.flip();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
