package dev.drydock.app.demo;

import dev.drydock.sim.StagedCluster;
import java.util.concurrent.atomic.AtomicBoolean;

/** Takes the cluster down once: when the story is over, or on Ctrl-C. */
final class Ending implements AutoCloseable {
  private final Screen screen;
  private final StagedCluster cluster;
  private final AtomicBoolean done = new AtomicBoolean();
  private final Thread hook = Thread.ofPlatform().unstarted(this::end);

  Ending(Screen screen, StagedCluster cluster) {
    this.screen = screen;
    this.cluster = cluster;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** A command that is still running fails from now on, and nobody wants to read of it. */
  private void end() {
    screen.mute();
    if (done.compareAndSet(false, true)) {
      cluster.close();
    }
  }

  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // the program is being stopped, and the hook is at work
    }
  }
}
