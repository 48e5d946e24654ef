package dev.drydock.edge.record;

import dev.drydock.edge.record.EdgeRecords.RecordUnreadable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;

/** The machine's own files. */
public final class DiskFiles implements FileOperations {
  /** More than any record has. */
  private static final int MOST_BYTES = 1 << 20;

  private static final int ROOT = 0;

  @Override
  public Optional<byte[]> read(Path file) throws IOException {
    try {
      checkOwner(file);
      // opening a pipe would wait for whoever writes to it
      if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
        throw new RecordUnreadable("it is not a regular file");
      }
      try (InputStream in = Files.newInputStream(file)) {
        byte[] content = in.readNBytes(MOST_BYTES + 1);
        if (content.length > MOST_BYTES) {
          throw new RecordUnreadable("it has more than %d bytes".formatted(MOST_BYTES));
        }
        return Optional.of(content);
      }
    } catch (NoSuchFileException missing) {
      return Optional.empty();
    } catch (FileSystemException failed) {
      if (Files.isSymbolicLink(file)) {
        throw new RecordUnreadable("it is a link that cannot be followed");
      }
      throw failed;
    }
  }

  /**
   * In a folder such as {@code /tmp} every user may make files, also links and pipes. Those of root
   * and of this process's user cannot be replaced by others.
   */
  private static void checkOwner(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null
        || !Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_WRITE)) {
      return;
    }
    int owner = user(file);
    if (owner != ROOT && owner != user(Path.of("/proc/self"))) {
      throw new RecordUnreadable(
          "every user may write to %s, and it is not root's".formatted(folder));
    }
  }

  private static int user(Path file) throws IOException {
    return (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public void write(Path file, byte[] content) throws IOException {
    Files.write(file, content);
  }

  @Override
  public void sync(Path fileOrFolder) throws IOException {
    try (FileChannel channel = FileChannel.open(fileOrFolder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void delete(Path file) throws IOException {
    Files.deleteIfExists(file);
  }

  @Override
  public void makeFolder(Path folder) throws IOException {
    Files.createDirectories(folder);
  }
}
