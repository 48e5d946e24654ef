package dev.drydock.bench;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The harness's own view of the nodes: since when each is cordoned, and drained after a fault. */
final class CordonWatch extends WatchedState<Node> {
  private static final String STATE = "dgxc.nvidia.com/nvsentinel-state";

  private final Map<String, Long> cordoned = new HashMap<>();
  private final Map<String, Long> drained = new HashMap<>();

  CordonWatch(KubernetesClient client) {
    informs(client.nodes().withLabel(KubeletProcess.LABEL).inform(this));
  }

  @Override
  public synchronized void onAdd(Node node) {
    long now = System.nanoTime();
    String name = node.getMetadata().getName();
    if (Boolean.TRUE.equals(node.getSpec().getUnschedulable())) {
      cordoned.putIfAbsent(name, now);
    } else {
      cordoned.remove(name);
    }
    if ("drain-succeeded".equals(node.getMetadata().getLabels().get(STATE))) {
      drained.putIfAbsent(name, now);
    } else {
      drained.remove(name);
    }
    changed();
  }

  @Override
  public synchronized void onDelete(Node node, boolean stateUnknown) {
    cordoned.remove(node.getMetadata().getName());
    drained.remove(node.getMetadata().getName());
    changed();
  }

  /** Waits until all of these are cordoned; returns when each was, on {@link System#nanoTime}. */
  synchronized Map<String, Long> awaitCordoned(Collection<String> names, Duration limit) {
    Set<String> wanted = Set.copyOf(names);
    await(
        "%d nodes are cordoned".formatted(wanted.size()),
        limit,
        () -> cordoned.keySet().containsAll(wanted));
    Map<String, Long> times = new HashMap<>(cordoned);
    times.keySet().retainAll(wanted);
    return times;
  }

  /**
   * Waits until all of these are drained.
   *
   * @return the time from the cordon of each, in milliseconds
   */
  synchronized Map<String, Double> awaitDrained(Collection<String> names, Duration limit) {
    Set<String> wanted = Set.copyOf(names);
    await(
        "%d nodes are drained".formatted(wanted.size()),
        limit,
        () -> drained.keySet().containsAll(wanted));
    Map<String, Double> times = new HashMap<>();
    awaitCordoned(wanted, limit)
        .forEach(
            (name, since) -> times.put(name, (drained.getOrDefault(name, since) - since) / 1e6));
    return times;
  }
}
