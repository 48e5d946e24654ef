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
    WatchKey key = watch(service);
    Thread.ofVirtual().name("plugins " + folder).start(() -> run(service, key));
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

  private WatchKey watch(WatchService service) throws IOException {
    WatchKey key =
        folder.register(
            service, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE);
    // what came before the watch has no event
    scan();
    return key;
  }

  private void run(WatchService service, WatchKey first) {
    WatchKey key = first;
    try {
      while (closed.getCount() > 0) {
        service.take();
        for (WatchEvent<?> event : key.pollEvents()) {
          heed(event);
        }
        if (!key.reset()) {
          key = watchAgain(service);
        }
      }
    } catch (ClosedWatchServiceException e) {
      // the end that close() makes
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void heed(WatchEvent<?> event) {
    try {
      if (event.kind().equals(StandardWatchEventKinds.OVERFLOW)) {
        scan();
      } else if (event.context() instanceof Path name) {
        Path file = folder.resolve(name);
        if (event.kind().equals(StandardWatchEventKinds.ENTRY_DELETE)) {
          listener.absent(file);
        } else if (counts(file)) {
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
        if (counts(file)) {
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
  private WatchKey watchAgain(WatchService service) throws InterruptedException {
    listener.onlyThese(Set.of());
    for (int failures = 1; true; failures++) {
      try {
        UnixSockets.makeFolder(folder);
        WatchKey key = watch(service);
        LOG.info("folder {} was removed, and is there again", folder);
        return key;
      } catch (IOException e) {
        LOG.warn("folder {} was removed and cannot be watched: {}", folder, e.toString());
        if (closed.await(Backoff.USUAL.after(failures).toMillis(), TimeUnit.MILLISECONDS)) {
          throw new ClosedWatchServiceException();
        }
      }
    }
  }

  private static boolean counts(Path file) throws IOException {
    Path name = file.getFileName();
    return name != null && !name.toString().startsWith(".") && UnixSockets.isSocket(file);
  }
}
