package dev.drydock.edge.record;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** The machine's own files. */
public final class DiskFiles implements FileOperations {
  @Override
  public Optional<byte[]> read(Path file) throws IOException {
    try {
      return Optional.of(Files.readAllBytes(file));
    } catch (NoSuchFileException missing) {
      return Optional.empty();
    }
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
