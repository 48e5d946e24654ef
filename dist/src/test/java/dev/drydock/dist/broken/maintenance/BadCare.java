package dev.drydock.dist.broken.maintenance;

import dev.drydock.dist.broken.kube.KubeHttp;
import org.jspecify.annotations.Nullable;

/** Makes a connection and a thread of its own, and says itself what a bug is. */
public class BadCare {
  public void work() {
    Thread.startVirtualThread(this::connect);
  }

  public @Nullable KubeHttp connect() {
    try {
      return new KubeHttp();
    } catch (RuntimeException bug) {
      return null;
    }
  }
}
