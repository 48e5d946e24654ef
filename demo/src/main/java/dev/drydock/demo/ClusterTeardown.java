package dev.drydock.demo;

import dev.drydock.cli.WhenStopped;
import dev.drydock.sim.DemoCluster;
import java.util.concurrent.atomic.AtomicBoolean;

/** Takes the cluster down once: at the end, or on Ctrl-C. */
final class ClusterTeardown implements AutoCloseable {
  private final Screen screen;
  private final DemoCluster cluster;
  private final AtomicBoolean done = new AtomicBoolean();
  private final WhenStopped hook;
  private volatile boolean stopped;

  ClusterTeardown(Screen screen, DemoCluster cluster) {
    this.screen = screen;
    this.cluster = cluster;
    this.hook = new WhenStopped(this::stop);
  }

  /** Whether the program is being stopped; later failures are consequences of that. */
  boolean stopped() {
    return stopped;
  }

  private void stop() {
    stopped = true;
    screen.leave();
    end();
  }

  /** Errors of commands that still run are suppressed from now on. */
  private void end() {
    screen.mute();
    if (done.compareAndSet(false, true)) {
      cluster.close();
    }
  }

  @Override
  public void close() {
    end();
    hook.close();
  }
}
