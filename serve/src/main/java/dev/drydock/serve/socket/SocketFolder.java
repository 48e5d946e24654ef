package dev.drydock.serve.socket;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/** Watches a folder for sockets that come and go; those whose names begin with a dot are none. */
public final class SocketFolder implements AutoCloseable {
  /** Gets the sockets in the folder; may get one repeatedly. */
  public interface Listener {
    void present(Path file) throws IOException;

    void absent(Path file);

    /** There are no others. */
    void onlyThese(Set<Path> files);
  }

  private final Path folder;
  private final Listener listener;
  private final FolderWatch watch;

  public SocketFolder(Path folder, Listener listener) {
    this.folder = folder.toAbsolutePath().normalize();
    this.listener = listener;
    watch = FolderWatch.ofNames(this.folder, UnixSockets::makeFolder, new Sockets());
  }

  /** Creates the folder if it is missing. Existing sockets are reported before this returns. */
  public void start() throws IOException {
    watch.start();
  }

  @Override
  public void close() {
    watch.close();
  }

  private final class Sockets implements FolderWatch.Listener {
    @Override
    public void scan() throws IOException {
      Set<Path> there = new HashSet<>();
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          if (isCandidate(file)) {
            there.add(file);
          }
        }
      }
      listener.onlyThese(there);
      for (Path file : there) {
        try {
          listener.present(file);
        } catch (NoSuchFileException e) {
          // gone meanwhile; an event follows
        }
      }
    }

    @Override
    public void present(Path file) throws IOException {
      if (isCandidate(file)) {
        listener.present(file);
      }
    }

    @Override
    public void absent(Path file) {
      listener.absent(file);
    }

    @Override
    public void removed() {
      listener.onlyThese(Set.of());
    }
  }

  private static boolean isCandidate(Path file) throws IOException {
    Path name = file.getFileName();
    return name != null && !name.toString().startsWith(".") && UnixSockets.isSocket(file);
  }
}
