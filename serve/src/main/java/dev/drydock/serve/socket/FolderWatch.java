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
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches the files of a folder. A folder that is removed is made again and watched again. */
public final class FolderWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FolderWatch.class);

  /** Hears what happens in the folder, on one thread. */
  public interface Listener {
    /**
     * Look at all files: what came before the watch, or during a flood of changes, has no event.
     */
    void scan() throws IOException;

    /** A file has come or changed. */
    void present(Path file) throws IOException;

    void absent(Path file);

    /** The folder was removed, and with it all files. */
    void removed();

    /** Wakes on every change. */
    static Listener waking(Runnable wake) {
      return new Listener() {
        @Override
        public void scan() {
          wake.run();
        }

        @Override
        public void present(Path file) {
          wake.run();
        }

        @Override
        public void absent(Path file) {
          wake.run();
        }

        @Override
        public void removed() {
          wake.run();
        }
      };
    }
  }

  /** Makes a folder where it is missing. */
  @FunctionalInterface
  public interface Maker {
    void make(Path folder) throws IOException;
  }

  private final Path folder;
  private final Maker maker;
  private final Listener listener;
  private final List<WatchEvent.Kind<Path>> kinds;
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable WatchService watcher;

  private FolderWatch(
      Path folder, Maker maker, List<WatchEvent.Kind<Path>> kinds, Listener listener) {
    this.folder = folder.toAbsolutePath().normalize();
    this.maker = maker;
    this.kinds = kinds;
    this.listener = listener;
  }

  /** Hears of files that come and go. */
  public static FolderWatch ofNames(Path folder, Maker maker, Listener listener) {
    return new FolderWatch(
        folder,
        maker,
        List.of(StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_DELETE),
        listener);
  }

  /** Also hears of files whose content changes. */
  public static FolderWatch ofContents(Path folder, Maker maker, Listener listener) {
    return new FolderWatch(
        folder,
        maker,
        List.of(
            StandardWatchEventKinds.ENTRY_CREATE,
            StandardWatchEventKinds.ENTRY_DELETE,
            StandardWatchEventKinds.ENTRY_MODIFY),
        listener);
  }

  /** Creates the folder if it is missing. It was scanned once before this returns. */
  public void start() throws IOException {
    maker.make(folder);
    WatchService service = folder.getFileSystem().newWatchService();
    synchronized (this) {
      watcher = service;
    }
    Watched watched = watch(service);
    Thread.ofVirtual().name("folder " + folder).start(() -> run(service, watched));
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
    synchronized (this) {
      closed.countDown();
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
    WatchKey key = folder.register(service, kinds.toArray(WatchEvent.Kind<?>[]::new));
    listener.scan();
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
        listener.scan();
      } else if (event.context() instanceof Path name) {
        Path file = folder.resolve(name);
        if (event.kind().equals(StandardWatchEventKinds.ENTRY_DELETE)) {
          listener.absent(file);
        } else {
          listener.present(file);
        }
      }
    } catch (NoSuchFileException e) {
      // gone again; an event follows
    } catch (IOException e) {
      LOG.warn("cannot look at {} in {}: {}", event.context(), folder, e.toString());
    }
  }

  /** A watch that is being closed looks like one whose folder was removed; it makes nothing. */
  private synchronized void makeAgain() throws IOException {
    if (closed.getCount() == 0) {
      throw new ClosedWatchServiceException();
    }
    maker.make(folder);
  }

  /** The folder was removed, and with it the watch. */
  private Watched watchAgain(WatchService service) throws InterruptedException {
    if (closed.getCount() == 0) {
      throw new ClosedWatchServiceException();
    }
    listener.removed();
    for (int failures = 1; true; failures++) {
      try {
        makeAgain();
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
}
