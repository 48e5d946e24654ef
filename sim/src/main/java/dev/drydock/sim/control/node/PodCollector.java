package dev.drydock.sim.control.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.control.Agenda;
import dev.drydock.sim.control.ClusterIndex;
import dev.drydock.sim.control.Conditions;
import dev.drydock.sim.control.Conditions.Condition;
import dev.drydock.sim.control.Controller;
import dev.drydock.sim.control.PodFacts;
import dev.drydock.sim.control.Resources;
import dev.drydock.sim.control.Writes;
import dev.drydock.sim.store.ObjectKey;
import dev.drydock.sim.store.StoredEvent;
import java.time.Duration;

/** Removes pods whose node is gone for good. */
public final class PodCollector implements Controller {
  /** Nodes sometimes come back by the same name. */
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private final Writes writes;
  private final Agenda agenda;
  private final ClusterIndex index;

  public PodCollector(Writes writes, Agenda agenda, ClusterIndex index) {
    this.writes = writes;
    this.agenda = agenda;
    this.index = index;
  }

  @Override
  public void changed(StoredEvent event) {
    boolean gone = event.type() == StoredEvent.Type.DELETED;
    if (event.resource().equals(Resources.NODES)) {
      if (gone) {
        agenda.at(this, event.key(), writes.clock().instant().plus(PATIENCE));
      } else if (event.previous() == null) {
        agenda.notLater(this, event.key());
      }
    } else if (event.resource().equals(Resources.PODS) && event.previous() == null && !gone) {
      ObjectKey node = new ObjectKey("", PodFacts.node(event.object()));
      if (!node.name().isEmpty() && writes.get(Resources.NODES, node) == null) {
        agenda.at(this, node, writes.clock().instant().plus(PATIENCE));
      }
    }
  }

  @Override
  public void look(ObjectKey node) {
    if (writes.get(Resources.NODES, node) == null) {
      index.podsOn(node.name()).forEach(this::remove);
    }
  }

  private void remove(ObjectNode pod) {
    ObjectKey key = ObjectFacts.key(pod);
    if (!PodFacts.isFinished(pod)) {
      Condition why =
          Condition.yes("DisruptionTarget", "DeletionByPodGC", "PodGC: node no longer exists");
      ObjectNode status = Conditions.statusWith(pod, why, writes.now());
      writes.setStatus(Resources.PODS, key, status.put("phase", "Failed"));
    }
    writes.deleteNow(Resources.PODS, key);
  }
}
