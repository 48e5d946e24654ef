package dev.drydock.sim.control.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
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
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Detects nodes without heartbeats and sets taints for the state of all nodes. Instead of counting
 * heartbeats it asks whether a node sends any: the grace period starts when they stop.
 */
public final class NodeLifecycle implements Controller {
  /** The default node-monitor-grace-period of a real cluster. */
  public static final Duration GRACE = Duration.ofSeconds(50);

  private final ControllerClient client;
  private final WorkQueue queue;
  private final ClusterIndex index;
  private final Predicate<ObjectNode> beating;
  private final Map<ObjectKey, Instant> silentSince = new HashMap<>();

  public NodeLifecycle(
      ControllerClient client, WorkQueue queue, ClusterIndex index, Predicate<ObjectNode> beating) {
    this.client = client;
    this.queue = queue;
    this.index = index;
    this.beating = beating;
  }

  @Override
  public void changed(ObjectChange event) {
    if (!event.resource().equals(Resources.NODES)) {
      return;
    }
    if (event.type() == ObjectChange.Type.DELETED) {
      silentSince.remove(event.key());
      queue.notLater(this, event.key());
    } else {
      queue.soon(this, event.key());
      ObjectNode before = event.previous();
      if (before != null
          && JsonTrees.hasCondition(before, "Ready")
          && !JsonTrees.hasCondition(event.object(), "Ready")) {
        index.podsOn(event.key().name()).forEach(this::markNotReady);
      }
    }
  }

  /** Marks pods on unresponsive nodes not ready, so that Services send them no requests. */
  private void markNotReady(ObjectNode pod) {
    if (PodQueries.isReady(pod)) {
      Condition lost = Condition.no("Ready", "NodeNotReady", "");
      client.setStatus(
          Resources.PODS,
          ObjectFacts.key(pod),
          StatusConditions.statusWith(pod, lost, client.now()));
    }
  }

  @Override
  public void look(ObjectKey key) {
    ObjectNode node = client.get(Resources.NODES, key);
    if (node == null) {
      return;
    }
    watch(key, node);
    ObjectNode now = client.get(Resources.NODES, key);
    if (now != null) {
      setTaints(key, now);
    }
  }

  private void watch(ObjectKey key, ObjectNode node) {
    if (beating.test(node)) {
      silentSince.remove(key);
      queue.notLater(this, key);
      return;
    }
    Instant now = client.clock().instant();
    Instant given = silentSince.computeIfAbsent(key, _ -> now).plus(GRACE);
    if (given.isAfter(now)) {
      queue.at(this, key, given);
    } else {
      client.setStatus(Resources.NODES, key, NodeHealth.unknown(node, client.now()));
    }
  }

  private void setTaints(ObjectKey key, ObjectNode node) {
    ArrayNode taints = NodeHealth.taints(node, client.now());
    JsonNode before = JsonTrees.at(node, "spec", "taints");
    if (taints.equals(before) || (taints.isEmpty() && before.isEmpty())) {
      return;
    }
    client.edit(
        Resources.NODES,
        key,
        draft -> {
          ObjectNode spec = ControllerClient.shallow(draft.path("spec"));
          if (taints.isEmpty()) {
            spec.remove("taints");
          } else {
            spec.set("taints", taints);
          }
          draft.set("spec", spec);
        });
  }
}
