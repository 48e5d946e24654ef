package dev.drydock.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The resident memory of a process in KiB, from /proc. */
final class ProcessMemory {
  private ProcessMemory() {}

  /** Resident now; empty if the process is gone. */
  static Optional<Long> resident(long pid) {
    return read(pid, "VmRSS:");
  }

  /** The peak since the program started; empty if it is gone. */
  static Optional<Long> peak(long pid) {
    return read(pid, "VmHWM:");
  }

  private static Optional<Long> read(long pid, String field) {
    try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
      return lines
          .filter(line -> line.startsWith(field))
          .map(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst();
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty(); // it ended in between
    }
  }
}
