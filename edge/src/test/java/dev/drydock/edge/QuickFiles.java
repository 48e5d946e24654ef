package dev.drydock.edge;

import dev.drydock.edge.record.DiskFiles;
import dev.drydock.edge.record.FileOperations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The machine's files without waiting for its disk, where no test cuts the power. */
public final class QuickFiles implements FileOperations {
  private final FileOperations files = new DiskFiles();

  @Override
  public Optional<byte[]> read(Path file) throws IOException {
    return files.read(file);
  }

  @Override
  public void write(Path file, byte[] content) throws IOException {
    files.write(file, content);
  }

  @Override
  public void sync(Path fileOrFolder) {
    // takes milliseconds, of which a test in virtual time would need many
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    files.rename(from, to);
  }

  @Override
  public void delete(Path file) throws IOException {
    files.delete(file);
  }

  @Override
  public void makeFolder(Path folder) throws IOException {
    files.makeFolder(folder);
  }
}
