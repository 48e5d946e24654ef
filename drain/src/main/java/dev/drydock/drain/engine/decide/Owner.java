package dev.drydock.drain.engine.decide;

/** The controller of a pod, from its owner reference. */
public record Owner(String apiVersion, String kind, String name, String uid) {
  boolean isDaemonSet() {
    return kind.equals("DaemonSet") && apiVersion.equals("apps/v1");
  }

  boolean isJob() {
    return kind.equals("Job") && apiVersion.startsWith("batch/");
  }
}
