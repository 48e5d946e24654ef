package dev.drydock.slingshot.driver;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How a program in a container without programs runs those of its host: with the host's own {@code
 * chroot}, started by the host's own loader, so that libraries of the container do not matter.
 */
final class HostChroot {
  private static final List<String> PLACES =
      List.of("usr/sbin/chroot", "usr/bin/chroot", "sbin/chroot", "bin/chroot");
  private static final List<String> LIBRARIES = List.of("usr/lib64", "lib64", "usr/lib", "lib");

  private static final int HEADER = 64;
  private static final int INTERPRETER = 3;

  private HostChroot() {}

  /**
   * The words that precede a command.
   *
   * @param root the host's, e.g. {@code /proc/1/root}
   * @throws IOException with one line, if the host's programs cannot be reached
   */
  static List<String> words(Path root) throws IOException {
    for (String place : PLACES) {
      Optional<Path> program = RootedPaths.resolve(root, Path.of(place));
      if (program.filter(Files::isRegularFile).isPresent()) {
        return words(root, program.get());
      }
    }
    throw new IOException(
        "%s has no program chroot: the driver agent needs hostPID and a privileged container, or --host-command"
            .formatted(root));
  }

  private static List<String> words(Path root, Path program) throws IOException {
    Optional<String> interpreter = interpreter(program);
    if (interpreter.isEmpty()) {
      return List.of(program.toString(), root.toString()); // linked statically
    }
    Path loader =
        RootedPaths.resolve(root, Path.of(interpreter.get()))
            .orElseThrow(() -> new IOException(program + " has no loader in " + root));
    StringBuilder libraries = new StringBuilder(loader.resolveSibling(".").normalize().toString());
    for (String folder : LIBRARIES) {
      RootedPaths.resolve(root, Path.of(folder))
          .filter(Files::isDirectory)
          .ifPresent(each -> libraries.append(':').append(each));
    }
    return List.of(
        loader.toString(),
        "--library-path",
        libraries.toString(),
        program.toString(),
        root.toString());
  }

  /** The loader that an ELF file names; empty if it names none. */
  private static Optional<String> interpreter(Path program) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(program.toFile(), "r")) {
      ByteBuffer header = read(file, 0, HEADER);
      boolean elf64 =
          header.capacity() == HEADER && header.getInt(0) == 0x464C457F && header.get(4) == 2;
      if (!elf64) {
        throw new IOException(program + " is no 64-bit program");
      }
      long table = header.getLong(32);
      int size = header.getShort(54);
      int count = header.getShort(56);
      for (int i = 0; i < count; i++) {
        ByteBuffer entry = read(file, table + (long) i * size, size);
        if (entry.getInt(0) == INTERPRETER) {
          ByteBuffer name = read(file, entry.getLong(8), (int) entry.getLong(32));
          return Optional.of(StandardCharsets.US_ASCII.decode(name).toString().replace("\0", ""));
        }
      }
      return Optional.empty();
    }
  }

  private static ByteBuffer read(RandomAccessFile file, long at, int length) throws IOException {
    byte[] bytes = new byte[Math.clamp(length, 0, 4096)];
    file.seek(at);
    file.readFully(bytes);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
