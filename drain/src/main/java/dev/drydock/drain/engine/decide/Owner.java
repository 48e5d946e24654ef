package dev.drydock.drain.engine.decide;

/** The controller that owns a pod, as the pod's owner reference names it. */
public record Owner(String apiVersion, String kind, String name, String uid) {
  boolean isDaemonSet() {
    return kind.equals("DaemonSet") && apiVersion.equals("apps/v1");
  }

  boolean isJob() {
    return kind.equals("Job") && apiVersion.startsWith("batch/");
  }
}
