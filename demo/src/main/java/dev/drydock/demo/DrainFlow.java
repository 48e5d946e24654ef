package dev.drydock.demo;

import dev.drydock.contracts.nvsentinel.DrainRequest;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The steps of a drain through a scheduler, in the order in which they happened: by the cluster's
 * version of each change, whichever watch was faster.
 */
final class DrainFlow {
  private static final String REASON = "nodeset.slinky.slurm.net/node-cordon-reason";
  private static final String DRAIN = "SlurmNodeStateDrain";

  private final String node;
  private final Map<String, Long> versions = new ConcurrentHashMap<>();

  DrainFlow(String node) {
    this.node = node;
  }

  private void add(HasMetadata object, String step) {
    versions.merge(step, Long.valueOf(object.getMetadata().getResourceVersion()), Math::min);
  }

  void see(Node seen) {
    if (!seen.getMetadata().getName().equals(node)) {
      return;
    }
    if (Boolean.TRUE.equals(seen.getSpec().getUnschedulable())) {
      add(seen, "cordoned");
    }
    if (seen.getMetadata().getAnnotations().containsKey(REASON)) {
      add(seen, "annotated");
    }
    if (DemoClusterView.state(seen).equals("drain-succeeded")) {
      add(seen, "succeeded");
    }
  }

  void see(Pod pod) {
    boolean ours = "slinky".equals(pod.getMetadata().getNamespace());
    if (ours
        && pod.getStatus().getConditions().stream()
            .anyMatch(each -> each.getType().equals(DRAIN) && each.getStatus().equals("True"))) {
      add(pod, "drained in Slurm");
    }
    if (ours && pod.getMetadata().getDeletionTimestamp() != null) {
      add(pod, "deleted");
    }
  }

  void see(DrainRequest request) {
    if (!request.getSpec().nodeName().equals(node)) {
      return;
    }
    add(request, "requested");
    if (DemoClusterView.reason(request).equals("DrainComplete")) {
      add(request, "complete");
    }
  }

  /** Separated by commas. */
  String steps() {
    return versions.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .collect(Collectors.joining(", "));
  }
}
