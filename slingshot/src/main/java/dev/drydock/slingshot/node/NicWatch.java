package dev.drydock.slingshot.node;

import dev.drydock.serve.socket.FolderWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when NICs come or go, as far as the kernel does: sysfs is not obliged to. So whoever
 * listens has to look now and then, too.
 */
public final class NicWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NicWatch.class);

  private final Path folder;
  private final Runnable changed;
  private @Nullable FolderWatch watch;

  /**
   * @param changed must not block
   */
  public NicWatch(CxiSysfs sysfs, Runnable changed) {
    folder = sysfs.folder();
    this.changed = changed;
  }

  /** Watches from now on, if there is anything to watch; to be called with every look. */
  public synchronized void keep() {
    if (watch != null || !Files.isDirectory(folder)) {
      return;
    }
    FolderWatch next = FolderWatch.ofNames(folder, _ -> {}, new Changes());
    try {
      next.start();
      watch = next;
    } catch (IOException vanished) {
      LOG.debug("cannot watch {}: {}", folder, vanished.toString());
      next.close();
    }
  }

  @Override
  public synchronized void close() {
    if (watch != null) {
      watch.close();
      watch = null;
    }
  }

  private final class Changes implements FolderWatch.Listener {
    @Override
    public void scan() {
      changed.run();
    }

    @Override
    public void present(Path file) {
      changed.run();
    }

    @Override
    public void absent(Path file) {
      changed.run();
    }

    /** The driver was unloaded. The folder is the kernel's, so nobody but it can make it again. */
    @Override
    public void removed() {
      close();
      changed.run();
    }
  }
}
