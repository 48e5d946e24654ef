package dev.drydock.slingshot.node;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Small files of the kernel and of other programs, which may vanish at any time: what cannot be
 * read is not known, and never an error. Sizes are not believed, because such files report any.
 */
public final class HostFile {
  /** More than any value of sysfs has; a file that is larger is cut. */
  private static final int MOST_BYTES = 1 << 20;

  private HostFile() {}

  /** The text without white space around it; empty if it cannot be read. */
  public static Optional<String> text(Path file) {
    return bytes(file).map(bytes -> new String(bytes, StandardCharsets.UTF_8).strip());
  }

  static Optional<byte[]> bytes(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return Optional.of(in.readNBytes(MOST_BYTES));
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  /** A decimal number; empty if it cannot be read, or is none. */
  public static OptionalLong number(Path file) {
    return text(file).map(HostFile::parse).orElseGet(OptionalLong::empty);
  }

  private static OptionalLong parse(String text) {
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException none) {
      return OptionalLong.empty();
    }
  }
}
