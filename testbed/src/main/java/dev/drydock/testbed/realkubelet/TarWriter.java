package dev.drydock.testbed.realkubelet;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes tar archives in the ustar format; the same input gives the same bytes. */
final class TarWriter implements AutoCloseable {
  private static final int BLOCK = 512;

  private final OutputStream out;

  TarWriter(OutputStream out) {
    this.out = out;
  }

  void directory(String path, int mode) throws IOException {
    header('5', path + "/", mode, 0, "");
  }

  void link(String path, String target) throws IOException {
    header('2', path, 0777, 0, target);
  }

  void file(String path, int mode, byte[] content) throws IOException {
    file(path, mode, content.length, new ByteArrayInputStream(content));
  }

  void file(String path, int mode, Path content) throws IOException {
    try (InputStream in = Files.newInputStream(content)) {
      file(path, mode, Files.size(content), in);
    }
  }

  private void file(String path, int mode, long size, InputStream content) throws IOException {
    header('0', path, mode, size, "");
    long written = content.transferTo(out);
    if (written != size) {
      throw new IOException("%s changed while it was read".formatted(path));
    }
    out.write(new byte[(int) ((BLOCK - size % BLOCK) % BLOCK)]);
  }

  private void header(char type, String path, int mode, long size, String target)
      throws IOException {
    byte[] header = new byte[BLOCK];
    put(header, 0, 100, path);
    put(header, 100, 8, "%07o".formatted(mode));
    put(header, 108, 8, "%07o".formatted(0));
    put(header, 116, 8, "%07o".formatted(0));
    put(header, 124, 12, "%011o".formatted(size));
    put(header, 136, 12, "%011o".formatted(0));
    // the checksum treats its own field as spaces
    put(header, 148, 8, " ".repeat(8));
    put(header, 156, 1, String.valueOf(type));
    put(header, 157, 100, target);
    put(header, 257, 8, "ustar\00000");
    int checksum = 0;
    for (byte value : header) {
      checksum += value & 0xff;
    }
    put(header, 148, 7, "%06o\0".formatted(checksum));
    out.write(header);
  }

  private static void put(byte[] header, int offset, int length, String value) throws IOException {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > length) {
      throw new IOException("'%s' is too long for a tar archive".formatted(value));
    }
    System.arraycopy(bytes, 0, header, offset, bytes.length);
  }

  @Override
  public void close() throws IOException {
    out.write(new byte[2 * BLOCK]);
    out.close();
  }
}
