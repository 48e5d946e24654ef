package dev.drydock.sim.kubelet;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
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
    var metadata = pod.getMetadata();
    PodStatus status = Objects.requireNonNullElseGet(pod.getStatus(), PodStatus::new);
    KubeletKnobs.Reading reading = KubeletKnobs.ofPod(metadata.getAnnotations());
    return new PodView(
        new Identity(
            metadata.getNamespace(),
            metadata.getName(),
            metadata.getUid(),
            metadata.getResourceVersion()),
        program(pod),
        Phase.of(status.getPhase()),
        running(status, previous == null ? null : previous.running, now),
        ending(pod, previous == null ? null : previous.ending, now),
        conditions(pod, status),
        reading);
  }

  /** The container ID shows in which boot of the node a container was started. */
  static String containerId(String bootId, String uid, Part part) {
    return CONTAINER_ID_SCHEME + bootId + "/" + uid + "/" + part.name();
  }

  private static Program program(Pod pod) {
    var spec = pod.getSpec();
    List<Part> parts = new ArrayList<>();
    for (Container container : spec.getInitContainers()) {
      boolean sidecar = "Always".equals(container.getRestartPolicy());
      parts.add(
          new Part(container.getName(), container.getImage(), sidecar ? Role.SIDECAR : Role.INIT));
    }
    for (Container container : spec.getContainers()) {
      parts.add(new Part(container.getName(), container.getImage(), Role.MAIN));
    }
    return new Program(
        spec.getNodeName(),
        List.copyOf(parts),
        "Never".equals(spec.getRestartPolicy()),
        Boolean.TRUE.equals(spec.getHostNetwork()));
  }

  private static @Nullable Running running(
      PodStatus status, @Nullable Running previous, Instant now) {
    int restarts =
        Stream.concat(
                status.getContainerStatuses().stream(), status.getInitContainerStatuses().stream())
            .mapToInt(ContainerStatus::getRestartCount)
            .max()
            .orElse(0);
    for (ContainerStatus container : status.getContainerStatuses()) {
      if (container.getState() != null && container.getState().getRunning() != null) {
        String bootId = bootId(container.getContainerID());
        Since before = previous != null && previous.bootId.equals(bootId) ? previous.since : null;
        Instant started = Instant.parse(container.getState().getRunning().getStartedAt());
        return new Running(Since.of(started, before, now), bootId, restarts);
      }
    }
    return null;
  }

  /** Empty for a container that no simulated kubelet started. */
  static String bootId(@Nullable String containerId) {
    if (containerId == null || !containerId.startsWith(CONTAINER_ID_SCHEME)) {
      return "";
    }
    String rest = containerId.substring(CONTAINER_ID_SCHEME.length());
    return rest.substring(0, Math.max(0, rest.indexOf('/')));
  }

  private static @Nullable Ending ending(Pod pod, @Nullable Ending previous, Instant now) {
    String deletion = pod.getMetadata().getDeletionTimestamp();
    if (deletion == null) {
      return null;
    }
    // The deletionTimestamp is the end of the grace period, not the time of the request.
    Long seconds = pod.getMetadata().getDeletionGracePeriodSeconds();
    Duration grace = Duration.ofSeconds(seconds == null ? 0 : seconds);
    Since before = previous == null ? null : previous.since;
    return new Ending(Since.of(Instant.parse(deletion).minus(grace), before, now), grace);
  }

  private static Conditions conditions(Pod pod, PodStatus status) {
    return new Conditions(
        holds(status, "PodScheduled"),
        holds(status, "Initialized"),
        holds(status, "ContainersReady"),
        holds(status, "Ready"),
        pod.getSpec().getReadinessGates().stream()
            .allMatch(gate -> holds(status, gate.getConditionType())));
  }

  private static boolean holds(PodStatus status, String type) {
    for (PodCondition condition : status.getConditions()) {
      if (type.equals(condition.getType())) {
        return "True".equals(condition.getStatus());
      }
    }
    return false;
  }
}
