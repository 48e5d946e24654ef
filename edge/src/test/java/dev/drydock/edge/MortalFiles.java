package dev.drydock.edge;

import dev.drydock.edge.record.FileOperations;
import dev.drydock.testkit.ProcessDeath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The files as a process sees them until it is killed: from then on it changes nothing. */
class MortalFiles implements FileOperations {
  private final FileOperations files;
  private boolean dead;

  MortalFiles(FileOperations files) {
    this.files = files;
  }

  /** Returns when the last operation has ended. */
  synchronized void kill() {
    dead = true;
  }

  synchronized boolean isDead() {
    return dead;
  }

  synchronized void alive() {
    if (dead) {
      throw new ProcessDeath();
    }
  }

  @Override
  public synchronized Optional<byte[]> read(Path file) throws IOException {
    alive();
    return files.read(file);
  }

  @Override
  public synchronized void write(Path file, byte[] content) throws IOException {
    alive();
    files.write(file, content);
  }

  @Override
  public synchronized void sync(Path fileOrFolder) throws IOException {
    alive();
    files.sync(fileOrFolder);
  }

  @Override
  public synchronized void rename(Path from, Path to) throws IOException {
    alive();
    files.rename(from, to);
  }

  @Override
  public synchronized void delete(Path file) throws IOException {
    alive();
    files.delete(file);
  }

  @Override
  public synchronized void makeFolder(Path folder) throws IOException {
    alive();
    files.makeFolder(folder);
  }
}
