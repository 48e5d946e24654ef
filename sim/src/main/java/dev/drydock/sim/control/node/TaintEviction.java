package dev.drydock.sim.control.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.control.ClusterIndex;
import dev.drydock.sim.control.Controller;
import dev.drydock.sim.control.ControllerClient;
import dev.drydock.sim.control.PodQueries;
import dev.drydock.sim.control.Resources;
import dev.drydock.sim.control.StatusConditions;
import dev.drydock.sim.control.StatusConditions.Condition;
import dev.drydock.sim.control.WorkQueue;
import dev.drydock.sim.control.schedule.Taints;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Deletes pods from nodes whose NoExecute taints they do not tolerate, or no longer tolerate. */
public final class TaintEviction implements Controller {
  private final ControllerClient client;
  private final WorkQueue queue;
  private final ClusterIndex index;

  /** When pods began to tolerate taints that have no timeAdded. */
  private final Map<ObjectKey, Instant> bearing = new HashMap<>();

  public TaintEviction(ControllerClient client, WorkQueue queue, ClusterIndex index) {
    this.client = client;
    this.queue = queue;
    this.index = index;
  }

  @Override
  public void changed(ObjectChange event) {
    ObjectNode before = event.previous();
    if (event.resource().equals(Resources.NODES)) {
      JsonNode old = before == null ? JsonTrees.array() : JsonTrees.at(before, "spec", "taints");
      if (!old.equals(JsonTrees.at(event.object(), "spec", "taints"))) {
        index.podsOn(event.key().name()).forEach(pod -> queue.soon(this, ObjectFacts.key(pod)));
      }
    } else if (event.resource().equals(Resources.PODS)
        && !PodQueries.node(event.object()).isEmpty()) {
      if (event.type() == ObjectChange.Type.DELETED) {
        forget(event.key());
      } else if (before == null || !before.path("spec").equals(event.object().path("spec"))) {
        queue.soon(this, event.key());
      }
    }
  }

  @Override
  public void look(ObjectKey key) {
    ObjectNode pod = client.get(Resources.PODS, key);
    ObjectNode node =
        pod == null ? null : client.get(Resources.NODES, new ObjectKey("", PodQueries.node(pod)));
    Instant now = client.clock().instant();
    Instant end =
        pod == null || node == null || ObjectFacts.isDeleted(pod)
            ? null
            : end(
                JsonTrees.at(node, "spec", "taints"),
                JsonTrees.at(pod, "spec", "tolerations"),
                bearing.getOrDefault(key, now));
    if (pod == null || end == null) {
      forget(key);
    } else if (end.isAfter(now)) {
      bearing.putIfAbsent(key, now);
      queue.at(this, key, end);
    } else {
      evict(key, pod);
    }
  }

  private void forget(ObjectKey key) {
    bearing.remove(key);
    queue.notLater(this, key);
  }

  /**
   * When a pod has to be deleted: at once if it does not tolerate a taint, never if it tolerates
   * all.
   */
  static @Nullable Instant end(JsonNode taints, JsonNode tolerations, Instant seen) {
    Instant end = null;
    for (JsonNode taint : taints) {
      if (JsonTrees.text(taint, "effect").equals(Taints.NO_EXECUTE)) {
        Duration patience = patience(taint, tolerations);
        String added = JsonTrees.text(taint, "timeAdded");
        Instant since = added.isEmpty() ? seen : Instant.parse(added);
        Instant ends = patience == null ? null : since.plus(patience);
        end = ends != null && (end == null || ends.isBefore(end)) ? ends : end;
      }
    }
    return end;
  }

  /** How long a taint is tolerated: the shortest tolerationSeconds; null means forever. */
  private static @Nullable Duration patience(JsonNode taint, JsonNode tolerations) {
    Duration shortest = null;
    boolean borne = false;
    for (JsonNode toleration : tolerations) {
      if (Taints.tolerates(toleration, taint)) {
        borne = true;
        JsonNode seconds = toleration.path("tolerationSeconds");
        Duration own =
            seconds.isNumber() ? Duration.ofSeconds(Math.max(0, seconds.asLong())) : null;
        shortest =
            own != null && (shortest == null || own.compareTo(shortest) < 0) ? own : shortest;
      }
    }
    return borne ? shortest : Duration.ZERO;
  }

  private void evict(ObjectKey key, ObjectNode pod) {
    Condition why =
        Condition.yes(
            "DisruptionTarget",
            "DeletionByTaintManager",
            "Taint manager: deleting due to NoExecute taint");
    client.setStatus(Resources.PODS, key, StatusConditions.statusWith(pod, why, client.now()));
    client.delete(Resources.PODS, key);
  }
}
