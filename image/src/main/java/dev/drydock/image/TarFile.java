package dev.drydock.image;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/** Writes tar archives whose bytes depend on names, content and the executable bit only. */
final class TarFile implements AutoCloseable {
  private static final int DIRECTORY = 040755;
  private static final int FOR_ALL_DIRECTORY = 041777;
  private static final int PROGRAM = 0100755;
  private static final int FILE = 0100644;

  private final TarArchiveOutputStream tar;
  private final Instant time;

  TarFile(OutputStream out, Instant time) {
    this.tar = new TarArchiveOutputStream(out, StandardCharsets.UTF_8.name());
    this.time = time;
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
  }

  /** Writes the chosen files below the root, each after the folders that it is in. */
  void tree(Path root, Predicate<String> chosen) throws IOException {
    Set<Path> wanted = new TreeSet<>();
    for (Path each : Folders.content(root)) {
      if (chosen.test(root.relativize(each).toString())) {
        for (Path path = each; !path.equals(root); path = requireNonNull(path.getParent())) {
          wanted.add(path);
        }
      }
    }
    for (Path each : wanted) {
      write(root.relativize(each).toString(), each);
    }
  }

  private void write(String name, Path path) throws IOException {
    if (Files.isSymbolicLink(path)) {
      TarArchiveEntry link = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
      link.setLinkName(Files.readSymbolicLink(path).toString());
      put(link);
      tar.closeArchiveEntry();
    } else if (Files.isDirectory(path)) {
      TarArchiveEntry directory = new TarArchiveEntry(name + "/");
      directory.setMode(name.equals("tmp") ? FOR_ALL_DIRECTORY : DIRECTORY);
      put(directory);
      tar.closeArchiveEntry();
    } else {
      file(name, path);
    }
  }

  void file(String name, Path content) throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name);
    entry.setMode(Files.isExecutable(content) ? PROGRAM : FILE);
    entry.setSize(Files.size(content));
    put(entry);
    Files.copy(content, tar);
    tar.closeArchiveEntry();
  }

  void file(String name, byte[] content) throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name);
    entry.setMode(FILE);
    entry.setSize(content.length);
    put(entry);
    tar.write(content);
    tar.closeArchiveEntry();
  }

  private void put(TarArchiveEntry entry) throws IOException {
    entry.setModTime(time.toEpochMilli());
    entry.setIds(0, 0);
    entry.setNames("", "");
    tar.putArchiveEntry(entry);
  }

  @Override
  public void close() throws IOException {
    tar.close();
  }
}
