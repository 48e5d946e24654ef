package dev.drydock.drain.engine.decide;

import dev.drydock.drain.hold.decide.NodeFacts;

/** The controller of a pod, from its owner reference. */
public record Owner(String apiVersion, String kind, String name, String uid) {
  public boolean isDaemonSet() {
    return kind.equals("DaemonSet") && apiVersion.equals("apps/v1");
  }

  /** A node whose UID is not known is known by its name. */
  boolean isNode(NodeFacts node) {
    return kind.equals("Node")
        && apiVersion.equals("v1")
        && name.equals(node.name())
        && node.uid().filter(known -> !known.equals(uid)).isEmpty();
  }

  boolean isJob() {
    return kind.equals("Job") && apiVersion.startsWith("batch/");
  }
}
