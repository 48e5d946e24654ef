package dev.drydock.edge.record;

import dev.drydock.edge.record.EdgeRecords.RecordUnreadable;
import dev.drydock.kube.ExpectedFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Files that other processes read while they change. A reader sees the old text or the new one,
 * never a part, also after a power loss: a new text is written beside the file, and renamed when it
 * is on the disk.
 */
public final class PublishedFiles {
  private static final String UNFINISHED = ".tmp";

  private final FileOperations files;

  public PublishedFiles(FileOperations files) {
    this.files = files;
  }

  /** A file could not be read or written; the message names it. */
  public static class FileFailure extends ExpectedFailure {
    private static final long serialVersionUID = 1L;

    FileFailure(String what, Path file, IOException cause) {
      super(
          "cannot %s %s: %s"
              .formatted(
                  what,
                  file,
                  cause instanceof AccessDeniedException
                      ? "permission denied"
                      : String.valueOf(cause.getMessage())));
      initCause(cause);
    }
  }

  /** What is in the place of a file can be no record; trying again does not help. */
  public static final class UnusableFile extends FileFailure {
    private static final long serialVersionUID = 1L;

    private final String why;

    UnusableFile(Path file, RecordUnreadable cause) {
      super("read", file, cause);
      why = cause.getMessage();
    }

    /** Without the name of the file. */
    public String why() {
      return why;
    }
  }

  /** Empty if there is no such file. */
  public Optional<String> read(Path file) {
    try {
      return files.read(file).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    } catch (RecordUnreadable unusable) {
      throw new UnusableFile(file, unusable);
    } catch (IOException failed) {
      throw new FileFailure("read", file, failed);
    }
  }

  /** Replaces the text of the file; a text that it has already is not written again. */
  public void publish(Path file, String text) {
    byte[] content = text.getBytes(StandardCharsets.UTF_8);
    Path folder = folder(file);
    Path unfinished = unfinished(file);
    try {
      if (has(file, content)) {
        return;
      }
      files.makeFolder(folder);
      files.write(unfinished, content);
      files.sync(unfinished);
      files.rename(unfinished, file);
      files.sync(folder);
    } catch (IOException failed) {
      throw new FileFailure("write", file, failed);
    }
  }

  private boolean has(Path file, byte[] content) throws IOException {
    try {
      return files.read(file).filter(now -> Arrays.equals(now, content)).isPresent();
    } catch (RecordUnreadable unusable) {
      return false;
    }
  }

  private boolean isThere(Path file) throws IOException {
    try {
      return files.read(file).isPresent();
    } catch (RecordUnreadable unusable) {
      return true;
    }
  }

  /** Takes a file from where others write it: whatever they write later is another one. */
  public void take(Path from, Path to) {
    try {
      files.rename(from, to);
      files.sync(folder(to));
    } catch (IOException failed) {
      throw new FileFailure("take", from, failed);
    }
  }

  /** Does nothing if there is no such file. */
  public void remove(Path file) {
    try {
      if (isThere(file)) {
        files.delete(file);
        files.sync(folder(file));
      }
    } catch (IOException failed) {
      throw new FileFailure("remove", file, failed);
    }
  }

  /** Does nothing if the file has another text by now. */
  public void removeIfSame(Path file, String text) {
    if (read(file).filter(text::equals).isPresent()) {
      remove(file);
    }
  }

  /** Removes what a process that died while writing has left beside this file. */
  public void removeUnfinished(Path file) {
    try {
      files.delete(unfinished(file));
    } catch (IOException failed) {
      throw new FileFailure("remove", unfinished(file), failed);
    }
  }

  private static Path unfinished(Path file) {
    return file.resolveSibling("." + file.getFileName() + UNFINISHED);
  }

  private static Path folder(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    return folder == null ? file : folder;
  }
}
