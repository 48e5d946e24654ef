package dev.drydock.sim.kubelet;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The facts about a bound Pod that its kubelet needs; the API object itself is not kept. */
record PodView(
    Identity identity,
    Program program,
    Phase phase,
    @Nullable Running running,
    @Nullable Ending ending,
    Conditions conditions,
    KubeletKnobs.Reading reading) {

  /** The Pod's identity and version. */
  record Identity(String namespace, String name, String uid, String resourceVersion) {}

  /** What the pod's spec tells the kubelet to run. */
  record Program(String node, List<Part> parts, boolean neverRestart, boolean hostNetwork) {}

  /** One container. */
  record Part(String name, String image, Role role) {}

  enum Role {
    MAIN,
    SIDECAR,
    INIT
  }

  enum Phase {
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED;

    boolean isTerminal() {
      return this == SUCCEEDED || this == FAILED;
    }

    static Phase of(@Nullable String phase) {
      return switch (phase) {
        case "Running" -> RUNNING;
        case "Succeeded" -> SUCCEEDED;
        case "Failed" -> FAILED;
        case null, default -> PENDING;
      };
    }
  }

  /** Started containers: since when, in which boot of the node, and the restart count. */
  record Running(Since since, String bootId, int restarts) {}

  /** The pod has been deleted and has this long to stop. */
  record Ending(Since since, Duration grace) {}

  /** The pod's true conditions, and whether its readiness gates are met. */
  record Conditions(
      boolean scheduled,
      boolean initialized,
      boolean containersReady,
      boolean ready,
      boolean gatesPassed) {}

  private static final String CONTAINER_ID_SCHEME = "sim://";

  /** Parses a Pod; {@code previous} is the last view of the same Pod, if any. */
  static PodView of(Pod pod, @Nullable PodView previous, Instant now) {
    return StoredViews.pod(StatusMerge.tree(pod), previous, now);
  }

  /** The container ID shows in which boot of the node a container was started. */
  static String containerId(String bootId, String uid, Part part) {
    return CONTAINER_ID_SCHEME + bootId + "/" + uid + "/" + part.name();
  }

  /** Empty for a container that no simulated kubelet started. */
  static String bootId(String containerId) {
    if (!containerId.startsWith(CONTAINER_ID_SCHEME)) {
      return "";
    }
    String rest = containerId.substring(CONTAINER_ID_SCHEME.length());
    return rest.substring(0, Math.max(0, rest.indexOf('/')));
  }
}
