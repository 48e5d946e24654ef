package dev.drydock.edge.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells one boot of the machine from the next. */
public final class BootId {
  private static final Path KERNEL = Path.of("/proc/sys/kernel/random/boot_id");

  private BootId() {}

  public static String read() throws IOException {
    return Files.readString(KERNEL).strip();
  }
}
