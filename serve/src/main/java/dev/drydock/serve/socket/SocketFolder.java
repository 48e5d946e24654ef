package dev.drydock.serve.socket;

import dev.drydock.kube.Backoff;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches a folder for sockets that come and go; those whose names begin with a dot are none. */
public final class SocketFolder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SocketFolder.class);

  /** Gets the sockets in the folder; may get one repeatedly. */
  public interface Listener {
    void present(Path file) throws IOException;

    void absent(Path file);

    /** There are no others. */
    void onlyThese(Set<Path> files);
  }

  private final Path folder;
  private final Listener listener;
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable WatchService watcher;

  public SocketFolder(Path folder, Listener listener) {
    this.folder = folder.toAbsolutePath().normalize();
    this.listener = listener;
  }

  /** Creates the folder if it is missing. Existing sockets are reported before this returns. */
  public void start() throws IOException {
    UnixSockets.makeFolder(folder);
    WatchService service = folder.getFileSystem().newWatchService();
    synchronized (this) {
      watcher = service;
    }
    Watched watched = watch(service);
    Thread.ofVirtual().name("plugins " + folder).start(() -> run(service, watched));
  }

  /**
   * The folder and its parent. The kernel does not tell of the removal of a folder as long as
   * somebody listens on a socket that was made there; in the parent it can be seen.
   *
   * @param identity of the folder, which one that is made in its place does not have
   */
  private record Watched(WatchKey folder, WatchKey parent, Object identity) {
    /** Whether more will be told. */
    boolean reset() {
      parent.pollEvents(); // whatever happened there, the folder is looked at
      boolean parentIsThere = parent.reset();
      return folder.reset() && parentIsThere;
    }

    void cancel() {
      folder.cancel();
      parent.cancel();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    synchronized (this) {
      if (watcher != null) {
        try {
          watcher.close();
        } catch (IOException e) {
          LOG.warn("cannot close the watch of {}: {}", folder, e.toString());
        }
      }
    }
  }

  private Watched watch(WatchService service) throws IOException {
    Path parent = folder.getParent();
    WatchKey above =
        (parent == null ? folder : parent).register(service, StandardWatchEventKinds.ENTRY_DELETE);
    Object identity = identity();
    WatchKey key =
        folder.register(
            service, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);
    // what came before the watch has no event
    scan();
    return new Watched(key, above, identity);
  }

  private Object identity() throws IOException {
    return String.valueOf(Files.readAttributes(folder, BasicFileAttributes.class).fileKey());
  }

  private void run(WatchService service, Watched first) {
    Watched watched = first;
    try {
      while (closed.getCount() > 0) {
        service.take();
        for (WatchEvent<?> event : watched.folder().pollEvents()) {
          handle(event);
        }
        if (!watched.reset() || !isThere(watched.identity())) {
          watched.cancel();
          watched = watchAgain(service);
        }
      }
    } catch (ClosedWatchServiceException e) {
      // the end that close() makes
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isThere(Object identity) {
    try {
      return identity.equals(identity());
    } catch (IOException gone) {
      return false; // looking for it again tells why
    }
  }

  private void handle(WatchEvent<?> event) {
    try {
      if (event.kind().equals(StandardWatchEventKinds.OVERFLOW)) {
        scan();
      } else if (event.context() instanceof Path name) {
        Path file = folder.resolve(name);
        if (event.kind().equals(StandardWatchEventKinds.ENTRY_DELETE)) {
          listener.absent(file);
        } else if (isCandidate(file)) {
          listener.present(file);
        }
      }
    } catch (NoSuchFileException e) {
      // gone again; an event follows
    } catch (IOException e) {
      LOG.warn("cannot look at {} in {}: {}", event.context(), folder, e.toString());
    }
  }

  private void scan() throws IOException {
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

  /** The folder was removed, and with it the watch. */
  private Watched watchAgain(WatchService service) throws InterruptedException {
    listener.onlyThese(Set.of());
    for (int failures = 1; true; failures++) {
      try {
        UnixSockets.makeFolder(folder);
        Watched watched = watch(service);
        LOG.info("folder {} was removed, and is there again", folder);
        return watched;
      } catch (IOException e) {
        LOG.warn("folder {} was removed and cannot be watched: {}", folder, e.toString());
        if (closed.await(Backoff.DEFAULT.after(failures).toMillis(), TimeUnit.MILLISECONDS)) {
          throw new ClosedWatchServiceException();
        }
      }
    }
  }

  private static boolean isCandidate(Path file) throws IOException {
    Path name = file.getFileName();
    return name != null && !name.toString().startsWith(".") && UnixSockets.isSocket(file);
  }
}
