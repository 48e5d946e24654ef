package dev.drydock.edge.record;

import dev.drydock.edge.record.EdgeRecords.RecordUnreadable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The system calls on files. Tests let a process die at any of them. */
public interface FileOperations {
  /**
   * Empty if there is no such file.
   *
   * @throws RecordUnreadable for what is no file, is much too large, or may be anybody's
   */
  Optional<byte[]> read(Path file) throws IOException;

  /** Creates or overwrites a file, without making sure that it survives a power loss. */
  void write(Path file, byte[] content) throws IOException;

  /**
   * Returns when the content of the file, or the names in the folder, would survive a power loss.
   */
  void sync(Path fileOrFolder) throws IOException;

  /** Replaces the other file, if there is one, in one step. */
  void rename(Path from, Path to) throws IOException;

  /** Does nothing if there is no such file. */
  void delete(Path file) throws IOException;

  void makeFolder(Path folder) throws IOException;
}
