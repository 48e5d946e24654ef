package dev.drydock.sim.control.node;

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
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;
import java.time.Duration;

/** Removes pods whose node was deleted. */
public final class PodCollector implements Controller {
  /** A node may come back with the same name. */
  private static final Duration TIMEOUT = Duration.ofSeconds(40);

  private final ControllerClient client;
  private final WorkQueue queue;
  private final ClusterIndex index;

  public PodCollector(ControllerClient client, WorkQueue queue, ClusterIndex index) {
    this.client = client;
    this.queue = queue;
    this.index = index;
  }

  @Override
  public void changed(ObjectChange event) {
    boolean gone = event.type() == ObjectChange.Type.DELETED;
    if (event.resource().equals(Resources.NODES)) {
      if (gone) {
        queue.at(this, event.key(), client.clock().instant().plus(TIMEOUT));
      } else if (event.previous() == null) {
        queue.notLater(this, event.key());
      }
    } else if (event.resource().equals(Resources.PODS) && event.previous() == null && !gone) {
      ObjectKey node = new ObjectKey("", PodQueries.node(event.object()));
      if (!node.name().isEmpty() && client.get(Resources.NODES, node) == null) {
        queue.at(this, node, client.clock().instant().plus(TIMEOUT));
      }
    }
  }

  @Override
  public void look(ObjectKey node) {
    if (client.get(Resources.NODES, node) == null) {
      index.podsOn(node.name()).forEach(this::remove);
    }
  }

  private void remove(ObjectNode pod) {
    ObjectKey key = ObjectFacts.key(pod);
    if (!PodQueries.isFinished(pod)) {
      Condition why =
          Condition.yes("DisruptionTarget", "DeletionByPodGC", "PodGC: node no longer exists");
      ObjectNode status = StatusConditions.statusWith(pod, why, client.now());
      client.setStatus(Resources.PODS, key, status.put("phase", "Failed"));
    }
    client.deleteNow(Resources.PODS, key);
  }
}
