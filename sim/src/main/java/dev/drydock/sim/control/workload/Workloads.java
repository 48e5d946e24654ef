package dev.drydock.sim.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.control.ClusterIndex;
import dev.drydock.sim.control.Controller;
import dev.drydock.sim.control.ControllerClient;
import dev.drydock.sim.control.ObjectRefs;
import dev.drydock.sim.control.PodQueries;
import dev.drydock.sim.control.Resources;
import dev.drydock.sim.control.WorkQueue;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shared by the controllers of workloads: when to process an object, and its pods. */
abstract class Workloads implements Controller {
  final ControllerClient client;
  final WorkQueue queue;
  final ClusterIndex index;
  private final String resource;
  private final String kind;

  Workloads(
      ControllerClient client, WorkQueue queue, ClusterIndex index, String resource, String kind) {
    this.client = client;
    this.queue = queue;
    this.index = index;
    this.resource = resource;
    this.kind = kind;
  }

  final String resource() {
    return resource;
  }

  @Override
  public void changed(ObjectChange event) {
    if (event.resource().equals(resource)) {
      if (event.type() == ObjectChange.Type.DELETED) {
        queue.notLater(this, event.key());
      } else if (isWish(event)) {
        queue.soon(this, event.key());
      }
    } else if (event.resource().equals(controlled())) {
      noteController(event.object());
    }
  }

  /** The kind of objects it controls. */
  String controlled() {
    return Resources.PODS;
  }

  /** Ignores changes of the status, which the controller writes itself. */
  private static boolean isWish(ObjectChange event) {
    ObjectNode before = event.previous();
    return before == null
        || event.changes("spec")
        || ObjectFacts.isDeleted(before) != ObjectFacts.isDeleted(event.object())
        || event.changes("metadata", "annotations");
  }

  final void noteController(ObjectNode object) {
    ObjectKey owner = ObjectRefs.controllerOf(object, kind);
    if (owner != null) {
      queue.soon(this, owner);
    }
  }

  @Override
  public void look(ObjectKey key) {
    ObjectNode workload = client.get(resource, key);
    if (workload != null) {
      look(key, workload);
    }
  }

  /** It exists, but may be terminating. */
  abstract void look(ObjectKey key, ObjectNode workload);

  final List<ObjectNode> pods(ObjectNode owner) {
    return index.controlledBy(ObjectFacts.uid(owner));
  }

  static int replicas(JsonNode workload) {
    return JsonTrees.at(workload, "spec", "replicas").asInt(1);
  }

  static long minReadySeconds(JsonNode workload) {
    return JsonTrees.at(workload, "spec", "minReadySeconds").asLong();
  }

  /**
   * How many pods are available; processes the object again when the next one becomes available.
   */
  final int available(ObjectKey key, ObjectNode workload, List<ObjectNode> pods) {
    long minReady = minReadySeconds(workload);
    if (minReady == 0) {
      return (int) pods.stream().filter(PodQueries::isReady).count();
    }
    Instant now = client.clock().instant();
    Instant next = null;
    int available = 0;
    for (ObjectNode pod : pods) {
      Instant from = PodQueries.availableFrom(pod, minReady);
      if (from != null && !from.isAfter(now)) {
        available++;
      } else if (from != null && (next == null || from.isBefore(next))) {
        next = from;
      }
    }
    lookAgain(key, next);
    return available;
  }

  final void lookAgain(ObjectKey key, @Nullable Instant when) {
    if (when == null) {
      queue.notLater(this, key);
    } else {
      queue.at(this, key, when);
    }
  }

  /** A status to fill in; other fields of the object's status are kept. */
  static ObjectNode statusOf(ObjectNode workload, Set<String> without) {
    ObjectNode status = ControllerClient.shallow(workload.path("status"));
    status.remove(without);
    status.set("observedGeneration", JsonTrees.at(workload, "metadata", "generation"));
    return status;
  }

  /** Zero fields are omitted, as by the real controllers. */
  static void putCount(ObjectNode status, String field, int count) {
    if (count > 0) {
      status.put(field, count);
    } else {
      status.remove(field);
    }
  }

  final void createPod(ObjectNode pod) {
    client.create(Resources.PODS, pod);
  }

  final void deletePod(ObjectNode pod) {
    client.delete(Resources.PODS, ObjectFacts.key(pod));
  }
}
