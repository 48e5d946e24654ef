package dev.drydock.edge.command;

import dev.drydock.edge.record.EdgePaths;
import dev.drydock.serve.socket.FolderWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Watches the folders of the records. */
final class RecordFolders implements AutoCloseable {
  private final List<FolderWatch> watches = new ArrayList<>();

  private RecordFolders() {}

  /** Makes the folders where they are missing. */
  static RecordFolders watch(EdgePaths paths, Runnable changed) throws IOException {
    return watch(paths.watched(), changed);
  }

  static RecordFolders watch(List<Path> folders, Runnable changed) throws IOException {
    RecordFolders all = new RecordFolders();
    boolean started = false;
    try {
      for (Path folder : folders) {
        FolderWatch watch =
            FolderWatch.ofContents(
                folder, Files::createDirectories, FolderWatch.Listener.waking(changed));
        all.watches.add(watch);
        watch.start();
      }
      started = true;
      return all;
    } finally {
      if (!started) {
        all.close();
      }
    }
  }

  @Override
  public void close() {
    watches.forEach(FolderWatch::close);
  }
}
