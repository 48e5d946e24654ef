package dev.drydock.sim.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.control.ClusterIndex;
import dev.drydock.sim.control.ControllerClient;
import dev.drydock.sim.control.PodQueries;
import dev.drydock.sim.control.Resources;
import dev.drydock.sim.control.WorkQueue;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectKey;
import java.util.List;
import java.util.Set;

/** Maintains the desired number of pods of a ReplicaSet. */
public final class ReplicaSetController extends Workloads {
  public ReplicaSetController(ControllerClient client, WorkQueue queue, ClusterIndex index) {
    super(client, queue, index, Resources.REPLICA_SETS, "ReplicaSet");
  }

  @Override
  void look(ObjectKey key, ObjectNode set) {
    List<ObjectNode> active = active(set);
    if (!ObjectFacts.isDeleted(set)) {
      int missing = replicas(set) - active.size();
      for (int i = 0; i < missing; i++) {
        createPod(PodTemplate.pod(set));
      }
      PodDeletionOrder.choose(active, -missing).forEach(this::deletePod);
    }
    List<ObjectNode> left = active(set);
    int available = available(key, set, left);
    ObjectNode status = status(set, left, available);
    client.setStatus(
        Resources.REPLICA_SETS, key, status.put("terminatingReplicas", ending(pods(set))));
  }

  private static int ending(List<ObjectNode> pods) {
    return (int)
        pods.stream()
            .filter(pod -> ObjectFacts.isDeleted(pod) && !PodQueries.isFinished(pod))
            .count();
  }

  private List<ObjectNode> active(ObjectNode set) {
    return pods(set).stream().filter(PodQueries::isActive).toList();
  }

  private static ObjectNode status(ObjectNode set, List<ObjectNode> pods, int available) {
    ObjectNode status = statusOf(set, Set.of());
    status.put("replicas", pods.size());
    JsonNode wanted = JsonTrees.at(set, "spec", "template", "metadata", "labels");
    int labelled = (int) pods.stream().filter(pod -> hasAll(pod, wanted)).count();
    putCount(status, "fullyLabeledReplicas", labelled);
    putCount(status, "readyReplicas", (int) pods.stream().filter(PodQueries::isReady).count());
    putCount(status, "availableReplicas", available);
    return status;
  }

  private static boolean hasAll(ObjectNode pod, JsonNode labels) {
    JsonNode own = JsonTrees.at(pod, "metadata", "labels");
    return labels.properties().stream()
        .allMatch(label -> own.path(label.getKey()).equals(label.getValue()));
  }
}
