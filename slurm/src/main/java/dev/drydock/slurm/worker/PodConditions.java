package dev.drydock.slurm.worker;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import dev.drydock.slurm.worker.decide.WorkerPod.SlurmCondition;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;

/** Writes conditions about Slurm to Pods; those of others, such as the kubelet's, stay. */
public final class PodConditions {
  private final Kube kube;

  public PodConditions(Kube kube) {
    this.kube = kube;
  }

  /**
   * Returns the updated Pod.
   *
   * @param wanted by type
   * @throws dev.drydock.kube.ApiFailure if it was refused, or there was no answer
   */
  public WorkerPodObject write(WorkerPodObject pod, Map<String, SlurmCondition> wanted) {
    Instant now = kube.clock().instant().truncatedTo(ChronoUnit.SECONDS);
    ArrayNode entries = Json.array();
    new TreeMap<>(wanted)
        .forEach(
            (type, condition) -> {
              var entry =
                  entries
                      .addObject()
                      .put("type", type)
                      .put("status", condition.status())
                      .put("reason", condition.reason())
                      .put("message", condition.message());
              boolean turned =
                  pod.facts()
                      .condition(type)
                      .filter(before -> before.status().equals(condition.status()))
                      .isEmpty();
              if (turned) {
                entry.put("lastTransitionTime", now.toString());
              }
            });
    return WorkerPodObject.read(
        kube.http()
            .send(
                // merges conditions by their types
                Patch.sameUid(Resource.PODS, pod.object())
                    .status(status -> status.set("conditions", entries))
                    .strategicCall())
            .orThrow("conditions of pod " + pod.object()));
  }
}
