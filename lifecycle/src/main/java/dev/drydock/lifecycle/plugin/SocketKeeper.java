package dev.drydock.lifecycle.plugin;

import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Kube;
import dev.drydock.serve.socket.SocketFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Watches the sockets of a plugin, and has them made again when somebody removes them. */
public final class SocketKeeper implements AutoCloseable {
  private final Sockets sockets;
  private final ControlLoop loop;
  private final List<SocketFolder> folders = new ArrayList<>();

  /** The sockets of a plugin. */
  public interface Sockets {
    List<Path> sockets();

    /**
     * Makes those again that are gone.
     *
     * @throws IOException with one line that says what is in the way
     */
    void restore() throws IOException;
  }

  public SocketKeeper(Kube kube, String driver, Sockets sockets) {
    this.sockets = sockets;
    loop = kube.loop("plugin-sockets", driver, this::step);
    for (Path socket : sockets.sockets()) {
      folders.add(new SocketFolder(Objects.requireNonNull(socket.getParent()), new Removals(loop)));
    }
  }

  public void start() throws IOException {
    for (SocketFolder folder : folders) {
      folder.start();
    }
  }

  private Instant step() {
    try {
      sockets.restore();
    } catch (IOException e) {
      throw new SocketFailure(String.valueOf(e.getMessage()), true);
    }
    return Instant.MAX;
  }

  /** Also of the whole folder. */
  private record Removals(ControlLoop loop) implements SocketFolder.Listener {
    @Override
    public void present(Path file) {
      // the one that was made again, or somebody else's
    }

    @Override
    public void absent(Path file) {
      loop.wake();
    }

    @Override
    public void onlyThese(Set<Path> files) {
      loop.wake();
    }
  }

  @Override
  public void close() {
    folders.forEach(SocketFolder::close);
    loop.close();
  }
}
