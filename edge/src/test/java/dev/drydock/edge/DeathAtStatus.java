package dev.drydock.edge;

import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.edge.record.EdgePaths;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The machine's files, for a process that dies as soon as it has published a status. */
final class DeathAtStatus extends MortalFiles {
  private final Path status;
  private final String text;

  DeathAtStatus(EdgePaths paths, NodeDrainState last) {
    super(new QuickFiles());
    status = paths.status();
    text = "{\"Status\":%d,".formatted(last.number());
  }

  @Override
  public synchronized void rename(Path from, Path to) throws IOException {
    super.rename(from, to);
    if (to.equals(status)
        && read(to)
            .filter(now -> new String(now, StandardCharsets.UTF_8).startsWith(text))
            .isPresent()) {
      kill();
      alive();
    }
  }
}
