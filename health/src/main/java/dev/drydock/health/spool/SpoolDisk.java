package dev.drydock.health.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/**
 * Files in a folder that only this process's user may enter: events may hold what others must not
 * see.
 */
final class SpoolDisk implements SpoolFiles {
  private static final String LOCK = "lock";

  private final Path folder;

  /** Its lock ends with it, also when the process is killed. */
  private final FileChannel lock;

  /**
   * Makes the folder if it is missing.
   *
   * @throws IOException also if another process uses it: each would write over what the other has
   *     acknowledged
   */
  SpoolDisk(Path folder) throws IOException {
    this.folder = folder;
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    lock =
        FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      locked = isLocked();
    } finally {
      if (!locked) {
        lock.close();
      }
    }
    if (!locked) {
      throw new IOException(
          "another connector uses the spool in %s; stop that one, or give this one another folder"
              .formatted(folder));
    }
  }

  private boolean isLocked() throws IOException {
    try {
      return lock.tryLock() != null;
    } catch (OverlappingFileLockException thisProcess) {
      return false;
    }
  }

  @Override
  public List<String> list() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).toList();
    }
  }

  @Override
  public SpoolFile open(String name) throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve(name),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    return new Open(channel);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(folder.resolve(from), folder.resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(String name) throws IOException {
    Files.deleteIfExists(folder.resolve(name));
  }

  @Override
  public void forceNames() throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }

  private record Open(FileChannel channel) implements SpoolFile {
    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void read(ByteBuffer into, long offset) throws IOException {
      long at = offset;
      int count = channel.read(into, at);
      while (count > 0 && into.hasRemaining()) {
        at += count;
        count = channel.read(into, at);
      }
    }

    @Override
    public void write(ByteBuffer from, long offset) throws IOException {
      long at = offset;
      while (from.hasRemaining()) {
        at += channel.write(from, at);
      }
    }

    @Override
    public void truncate(long size) throws IOException {
      channel.truncate(size);
    }

    @Override
    public void force() throws IOException {
      // the size of a file that grows is part of what is forced
      channel.force(false);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
