package dev.drydock.health.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.zip.CRC32C;

/** The two small files of a spool: its id, and up to which batch it was forwarded. */
final class SpoolMarks {
  private static final String ID = "id";
  private static final String ID_DRAFT = "id.draft";
  private static final String POSITION = "forwarded";

  private SpoolMarks() {}

  /** Whose resends are recognised; so it is durable before the first batch is. */
  static String id(SpoolFiles files, boolean mayBeNew) throws IOException {
    if (files.list().contains(ID)) {
      String id = content(files, ID);
      if (id.matches("[0-9a-f-]{36}")) {
        return id;
      }
      if (!mayBeNew) {
        throw new IOException(
            "the spool's file \"id\" is damaged, so what is in it could be stored twice; remove the spool's folder to lose it");
      }
    }
    String id = UUID.randomUUID().toString();
    try (SpoolFiles.SpoolFile file = files.open(ID_DRAFT)) {
      file.truncate(0);
      file.write(ByteBuffer.wrap(id.getBytes(StandardCharsets.US_ASCII)), 0);
      file.force();
    }
    files.rename(ID_DRAFT, ID);
    files.forceNames();
    return id;
  }

  private static String content(SpoolFiles files, String name) throws IOException {
    try (SpoolFiles.SpoolFile file = files.open(name)) {
      ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(file.size(), 64));
      file.read(buffer, 0);
      return new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII);
    }
  }

  /** A position that cannot be read costs a resend, which the receiver recognises. */
  static long position(SpoolFiles files) throws IOException {
    String[] words = content(files, POSITION).strip().split(" ", 2);
    return words.length == 2 && words[0].matches("\\d{1,18}") && words[1].equals(checksum(words[0]))
        ? Long.parseLong(words[0])
        : 0;
  }

  /** Not forced: an older position only costs a resend. */
  static void writePosition(SpoolFiles files, long forwarded) throws IOException {
    try (SpoolFiles.SpoolFile file = files.open(POSITION)) {
      String number = Long.toString(forwarded);
      byte[] text =
          "%-40s".formatted(number + " " + checksum(number)).getBytes(StandardCharsets.US_ASCII);
      file.write(ByteBuffer.wrap(text), 0);
    }
  }

  private static String checksum(String text) {
    CRC32C sum = new CRC32C();
    sum.update(text.getBytes(StandardCharsets.US_ASCII));
    return Long.toHexString(sum.getValue());
  }
}
