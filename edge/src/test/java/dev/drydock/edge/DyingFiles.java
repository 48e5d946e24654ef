package dev.drydock.edge;

import dev.drydock.edge.record.FileOperations;
import dev.drydock.testkit.ProcessDeath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * The machine's files, for a process that dies at its nth change of them, before or after it, or in
 * the middle of its nth write.
 */
public final class DyingFiles implements FileOperations {
  /** When it dies. */
  public enum Moment {
    BEFORE,
    HALFWAY,
    AFTER
  }

  private final FileOperations files = new QuickFiles();
  private final int last;
  private final Moment moment;
  private int changes;
  private boolean dead;

  public DyingFiles(int last, Moment moment) {
    this.last = last;
    this.moment = moment;
  }

  public static DyingFiles never() {
    return new DyingFiles(Integer.MAX_VALUE, Moment.BEFORE);
  }

  public synchronized boolean isDead() {
    return dead;
  }

  public synchronized int changes() {
    return changes;
  }

  @FunctionalInterface
  private interface Change {
    void make() throws IOException;
  }

  private void change(Change whole) throws IOException {
    if (moment == Moment.HALFWAY) {
      alive();
      whole.make(); // it has no middle
    } else {
      change(() -> {}, whole);
    }
  }

  private synchronized void change(Change half, Change whole) throws IOException {
    alive();
    changes++;
    if (changes < last) {
      whole.make();
      return;
    }
    switch (moment) {
      case BEFORE -> {}
      case HALFWAY -> half.make();
      case AFTER -> whole.make();
    }
    dead = true;
    throw new ProcessDeath();
  }

  private void alive() {
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
  public void write(Path file, byte[] content) throws IOException {
    change(
        () -> files.write(file, Arrays.copyOf(content, content.length / 2)),
        () -> files.write(file, content));
  }

  @Override
  public void sync(Path fileOrFolder) throws IOException {
    change(() -> files.sync(fileOrFolder));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    change(() -> files.rename(from, to));
  }

  @Override
  public void delete(Path file) throws IOException {
    change(() -> files.delete(file));
  }

  @Override
  public void makeFolder(Path folder) throws IOException {
    change(() -> files.makeFolder(folder));
  }
}
