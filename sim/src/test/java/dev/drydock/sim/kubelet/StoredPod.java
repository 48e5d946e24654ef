package dev.drydock.sim.kubelet;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A Pod as the API server stores it, with the server behaviour that decisions depend on. */
final class StoredPod {
  static final String NODE = "node-1";

  final Pod pod =
      new PodBuilder()
          .withNewMetadata()
          .withNamespace("shop")
          .withName("web")
          .withUid("uid-1")
          .withResourceVersion("1")
          .endMetadata()
          .withNewSpec()
          .withNodeName(NODE)
          .withRestartPolicy("Always")
          .addNewContainer()
          .withName("main")
          .withImage("image")
          .endContainer()
          .endSpec()
          .withNewStatus()
          .withPhase("Pending")
          .endStatus()
          .build();

  private @Nullable PodView view;

  PodView view(Instant now) {
    view = PodView.of(pod, view, now);
    return view;
  }

  /** The view of a new process without memory. */
  PodView freshView(Instant now) {
    view = null;
    return view(now);
  }

  void delete(Instant now, long grace) {
    pod.getMetadata().setDeletionTimestamp(Stamps.seconds(now.plusSeconds(grace)));
    pod.getMetadata().setDeletionGracePeriodSeconds(grace);
  }

  /** The status after a strategic merge patch. */
  void patch(PodStatus patch) {
    PodStatus status = pod.getStatus();
    if (patch.getPhase() != null) {
      status.setPhase(patch.getPhase());
    }
    if (patch.getPodIP() != null) {
      status.setPodIP(patch.getPodIP());
      status.setStartTime(patch.getStartTime());
    }
    if (!patch.getContainerStatuses().isEmpty()) {
      status.setContainerStatuses(patch.getContainerStatuses());
    }
    if (!patch.getInitContainerStatuses().isEmpty()) {
      status.setInitContainerStatuses(patch.getInitContainerStatuses());
    }
    Map<String, PodCondition> conditions = new LinkedHashMap<>();
    status.getConditions().forEach(condition -> conditions.put(condition.getType(), condition));
    patch.getConditions().forEach(condition -> conditions.put(condition.getType(), condition));
    status.setConditions(conditions.values().stream().toList());
  }

  /** What the node controller does to the pods of an unreachable node. */
  void markNotReady() {
    pod.getStatus()
        .getConditions()
        .forEach(
            condition -> {
              if (condition.getType().equals("Ready")) {
                condition.setStatus("False");
              }
            });
  }

  String condition(String type) {
    return pod.getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals(type))
        .map(PodCondition::getStatus)
        .findFirst()
        .orElse("");
  }
}
