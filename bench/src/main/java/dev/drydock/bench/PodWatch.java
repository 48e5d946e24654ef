package dev.drydock.bench;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The harness's own view of the pods of a namespace, with its own watch: when they are ready, when
 * nothing changes, and when the last one left a node.
 */
final class PodWatch extends WatchedState<Pod> {
  private static final Duration QUIET = Duration.ofSeconds(1);

  private record Seen(String node, boolean ready) {}

  private final Map<String, Seen> pods = new HashMap<>();
  private final Map<String, Long> lastDeparture = new HashMap<>();

  PodWatch(KubernetesClient client, String namespace) {
    informs(client.pods().inNamespace(namespace).inform(this));
  }

  @Override
  public synchronized void onAdd(Pod pod) {
    String node = Objects.requireNonNullElse(pod.getSpec().getNodeName(), "");
    pods.put(pod.getMetadata().getUid(), new Seen(node, Readiness.isPodReady(pod)));
    changed();
  }

  @Override
  public synchronized void onDelete(Pod pod, boolean stateUnknown) {
    Seen gone = pods.remove(pod.getMetadata().getUid());
    if (gone != null) {
      lastDeparture.put(gone.node(), System.nanoTime());
    }
    changed();
  }

  /** Returns when exactly this many pods exist and all are ready. */
  void awaitReady(int count, Duration limit) {
    await(
        "all of " + count + " pods are ready",
        limit,
        () -> pods.size() == count && pods.values().stream().allMatch(Seen::ready));
  }

  /** Returns when no pod has changed for a while. */
  void awaitQuiet() {
    awaitQuiet(QUIET);
  }

  /** Waits until these nodes have no pods; returns the time on {@link System#nanoTime}. */
  synchronized long awaitEmpty(Collection<String> nodes, Duration limit) {
    Set<String> wanted = new HashSet<>(nodes);
    await(
        "%d nodes are empty".formatted(wanted.size()),
        limit,
        () -> pods.values().stream().noneMatch(pod -> wanted.contains(pod.node())));
    return wanted.stream()
        .mapToLong(node -> lastDeparture.getOrDefault(node, Long.MIN_VALUE))
        .max()
        .orElseThrow();
  }

  synchronized int count() {
    return pods.size();
  }
}
