package dev.drydock.sim.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.control.Controller;
import dev.drydock.sim.control.ControllerClient;
import dev.drydock.sim.control.Resources;
import dev.drydock.sim.control.WorkQueue;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;
import java.time.Instant;

/**
 * Writes node Leases and heartbeat times as often as {@link SimulatedKubelets} do. Nothing in a
 * simulated cluster depends on them; they are for people who look at nodes.
 */
public final class Heartbeats implements Controller {
  private final ControllerClient client;
  private final WorkQueue queue;
  private final ClusterKubelets kubelets;

  public Heartbeats(ControllerClient client, WorkQueue queue, ClusterKubelets kubelets) {
    this.client = client;
    this.queue = queue;
    this.kubelets = kubelets;
  }

  @Override
  public void changed(ObjectChange event) {
    if (!event.resource().equals(Resources.NODES)) {
      return;
    }
    if (event.type() == ObjectChange.Type.DELETED) {
      queue.notLater(this, event.key());
    } else if (event.previous() == null) {
      queue.soon(this, event.key());
    }
  }

  @Override
  public void look(ObjectKey key) {
    ObjectNode node = client.get(Resources.NODES, key);
    if (node == null) {
      return;
    }
    Instant now = client.clock().instant();
    queue.at(this, key, SimulatedNode.nextTurn(key.name(), SimulatedNode.LEASE_EVERY, now));
    if (kubelets.isBeating(node)) {
      renewLease(node, now);
      if (!now.isBefore(reported(node).plus(SimulatedNode.STATUS_EVERY))) {
        kubelets.reportWell(node);
      }
    }
  }

  private void renewLease(ObjectNode node, Instant now) {
    NodeView.Identity identity = kubelets.view(node).identity();
    ObjectNode lease = StatusMerge.tree(NodeObjects.lease(identity, now));
    ObjectKey key = ObjectFacts.key(lease);
    if (client.get(Resources.LEASES, key) == null) {
      client.create(Resources.LEASES, lease);
    } else {
      client.edit(Resources.LEASES, key, draft -> draft.set("spec", lease.path("spec")));
    }
  }

  private static Instant reported(ObjectNode node) {
    for (JsonNode condition : JsonTrees.at(node, "status", "conditions")) {
      String time = JsonTrees.text(condition, "lastHeartbeatTime");
      if (JsonTrees.text(condition, "type").equals("Ready") && !time.isEmpty()) {
        return Instant.parse(time);
      }
    }
    return Instant.EPOCH;
  }
}
