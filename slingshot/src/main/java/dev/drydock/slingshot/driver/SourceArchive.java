package dev.drydock.slingshot.driver;

import dev.drydock.slingshot.driver.decide.ArchiveFormat;
import dev.drydock.slingshot.driver.decide.FailureReason;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks an archive into a folder, and nowhere else: an entry or a link that leads out of the
 * folder makes the whole archive unusable, and nothing of it stays.
 */
final class SourceArchive {
  private static final long MOST_BYTES = 4L << 30;
  private static final int MOST_ENTRIES = 500_000;
  private static final int EXECUTABLE = 0111;
  private static final int TAR_BLOCK = 512;

  /** How tar marks files. */
  private static final Set<Byte> PLAIN = Set.of(TarConstants.LF_NORMAL, TarConstants.LF_OLDNORM);

  private final Path folder;
  private long bytes;
  private int entries;

  private SourceArchive(Path folder) {
    this.folder = folder;
  }

  /**
   * Returns the folder of the sources: if the archive has only one folder, that one.
   *
   * @param folder which is emptied first
   */
  static Path unpack(Path archive, ArchiveFormat format, Path folder) {
    try {
      DurableFiles.deleteTree(folder);
      Files.createDirectories(folder);
      boolean unpacked = false;
      try {
        new SourceArchive(folder.toAbsolutePath().normalize()).unpack(archive, format);
        unpacked = true;
      } finally {
        if (!unpacked) {
          DurableFiles.deleteTree(folder);
        }
      }
      return flat(folder);
    } catch (EOFException truncated) {
      throw refused("it ends too early");
    } catch (IOException | IllegalArgumentException unreadable) {
      throw refused(String.valueOf(unreadable.getMessage()));
    }
  }

  private static InstallFailure refused(String why) {
    return new InstallFailure(
        FailureReason.ArchiveRefused, "the archive of the sources cannot be used: " + why);
  }

  private static Path flat(Path folder) throws IOException {
    try (Stream<Path> children = Files.list(folder)) {
      List<Path> all = children.limit(2).toList();
      boolean single =
          all.size() == 1 && Files.isDirectory(all.getFirst(), LinkOption.NOFOLLOW_LINKS);
      return single ? all.getFirst() : folder;
    }
  }

  private void unpack(Path archive, ArchiveFormat format) throws IOException {
    switch (format) {
      case ZIP -> unzip(archive);
      case TAR -> {
        checkEnd(archive);
        try (InputStream in = new BufferedInputStream(Files.newInputStream(archive))) {
          untar(in);
        }
      }
      case TAR_GZ -> {
        try (InputStream in =
            new GZIPInputStream(new BufferedInputStream(Files.newInputStream(archive)))) {
          untar(in);
          // the checksum of a compressed file is at its end
          in.skip(MOST_BYTES);
        }
      }
    }
    if (entries == 0) {
      throw new IOException("it is empty");
    }
    checkLinks();
  }

  /** A tar ends with a block of zeros; without it, entries may be missing. */
  private static void checkEnd(Path archive) throws IOException {
    long size = Files.size(archive);
    try (InputStream in = Files.newInputStream(archive)) {
      in.skipNBytes(Math.max(0, size - TAR_BLOCK));
      byte[] end = in.readAllBytes();
      if (end.length < TAR_BLOCK || !Arrays.equals(end, new byte[TAR_BLOCK])) {
        throw new EOFException();
      }
    }
  }

  private void untar(InputStream in) throws IOException {
    HeaderLimit limited = new HeaderLimit(in);
    TarArchiveInputStream tar = new TarArchiveInputStream(limited, StandardCharsets.UTF_8.name());
    for (TarArchiveEntry entry = limited.next(tar); entry != null; entry = limited.next(tar)) {
      if (entry.isDirectory()) {
        makeFolder(entry.getName());
      } else if (entry.isSymbolicLink()) {
        link(entry.getName(), entry.getLinkName());
      } else if (PLAIN.contains(entry.getLinkFlag()) && !entry.isSparse()) {
        write(entry.getName(), tar, entry.getSize(), (entry.getMode() & EXECUTABLE) != 0);
      } else {
        throw new IOException(
            "%s is neither a file nor a folder nor a symbolic link".formatted(entry.getName()));
      }
    }
  }

  /** Names of any length are read into memory, and may be compressed to nearly nothing. */
  private static final class HeaderLimit extends FilterInputStream {
    private static final long MOST_OF_ONE = 1 << 20;

    private long left;
    private boolean header;

    HeaderLimit(InputStream in) {
      super(in);
    }

    @Nullable TarArchiveEntry next(TarArchiveInputStream tar) throws IOException {
      left = MOST_OF_ONE;
      header = true;
      TarArchiveEntry entry = tar.getNextEntry();
      header = false;
      return entry;
    }

    @Override
    public int read() throws IOException {
      int next = super.read();
      count(1);
      return next;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int read = super.read(buffer, offset, length);
      count(Math.max(0, read));
      return read;
    }

    private void count(int more) throws IOException {
      left -= header ? more : 0;
      if (left < 0) {
        throw new IOException(
            "the header of an entry has more than %d bytes".formatted(MOST_OF_ONE));
      }
    }
  }

  private void unzip(Path archive) throws IOException {
    try (SeekableByteChannel bytesOf = Files.newByteChannel(archive);
        ZipFile zip = ZipFile.builder().setSeekableByteChannel(bytesOf).get()) {
      Enumeration<ZipArchiveEntry> all = zip.getEntries();
      while (all.hasMoreElements()) {
        ZipArchiveEntry entry = all.nextElement();
        if (entry.isDirectory()) {
          makeFolder(entry.getName());
        } else if (entry.isUnixSymlink()) {
          link(entry.getName(), zip.getUnixSymlink(entry));
        } else {
          try (InputStream in = zip.getInputStream(entry)) {
            write(entry.getName(), in, entry.getSize(), (entry.getUnixMode() & EXECUTABLE) != 0);
          }
        }
      }
    }
  }

  /** The place of an entry, whose parents are real folders of ours. */
  private Path place(String name) throws IOException {
    entries++;
    if (entries > MOST_ENTRIES) {
      throw new IOException("it has more than %d entries".formatted(MOST_ENTRIES));
    }
    Path relative = Path.of(name);
    if (relative.isAbsolute() || Stream.of(name.split("/", -1)).anyMatch(".."::equals)) {
      throw new IOException("%s leads out of the folder".formatted(name));
    }
    Path target = folder.resolve(relative).normalize();
    for (Path parent = Objects.requireNonNull(target.getParent());
        parent.startsWith(folder) && !parent.equals(folder);
        parent = Objects.requireNonNull(parent.getParent())) {
      if (Files.isSymbolicLink(parent)) {
        throw new IOException("%s is below a link".formatted(name));
      }
    }
    return target;
  }

  private void makeFolder(String name) throws IOException {
    Path target = place(name);
    if (Files.isSymbolicLink(target)) {
      throw new IOException("%s is a link, too".formatted(name));
    }
    Files.createDirectories(target);
  }

  private void write(String name, InputStream in, long size, boolean executable)
      throws IOException {
    Path target = place(name);
    if (target.equals(folder)) {
      throw new IOException("an entry has no name");
    }
    Files.createDirectories(Objects.requireNonNull(target.getParent()));
    // not through a link, and not into a file that has been written
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("%s comes twice".formatted(name));
    }
    long copied = Files.copy(bounded(in), target);
    if (size >= 0 && copied != size) {
      throw new EOFException();
    }
    Files.setPosixFilePermissions(
        target, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
  }

  private InputStream bounded(InputStream in) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        int next = in.read();
        count(next < 0 ? 0 : 1);
        return next;
      }

      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        int read = in.read(buffer, offset, length);
        count(Math.max(0, read));
        return read;
      }
    };
  }

  private void count(int more) throws IOException {
    bytes += more;
    if (bytes > MOST_BYTES) {
      throw new IOException("it has more than %d bytes".formatted(MOST_BYTES));
    }
  }

  private void link(String name, String to) throws IOException {
    Path target = place(name);
    if (Path.of(to).isAbsolute()) {
      throw new IOException("link %s leads out of the folder, to %s".formatted(name, to));
    }
    Files.createDirectories(Objects.requireNonNull(target.getParent()));
    Files.createSymbolicLink(target, Path.of(to));
  }

  /** At the end, because where a link leads may depend on links that come later. */
  private void checkLinks() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path link : (Iterable<Path>) all.filter(Files::isSymbolicLink)::iterator) {
        if (RootedPaths.resolve(folder, folder.relativize(link)).isEmpty()) {
          throw new IOException(
              "link %s leads out of the folder, to %s"
                  .formatted(folder.relativize(link), Files.readSymbolicLink(link)));
        }
      }
    }
  }
}
