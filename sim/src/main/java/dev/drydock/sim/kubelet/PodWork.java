package dev.drydock.sim.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.control.Controller;
import dev.drydock.sim.control.ControllerClient;
import dev.drydock.sim.control.PodQueries;
import dev.drydock.sim.control.Resources;
import dev.drydock.sim.control.WorkQueue;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.kubelet.ClusterKubelets.Surroundings;
import dev.drydock.sim.kubelet.PodStep.Remove;
import dev.drydock.sim.kubelet.PodStep.Rest;
import dev.drydock.sim.kubelet.PodStep.WaitUntil;
import dev.drydock.sim.kubelet.PodStep.Write;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Carries out the decisions for the pods of all nodes. */
final class PodWork implements Controller {
  private final ControllerClient client;
  private final WorkQueue queue;
  private final ClusterKubelets kubelets;
  private final Addresses podAddresses = Addresses.ofPods();
  private final Addresses nodeAddresses = Addresses.ofNodes();

  /** Pods that wait for an instant, with the precise start of the wait. */
  private final Map<ObjectKey, PodView> waiting = new HashMap<>();

  PodWork(ControllerClient client, WorkQueue queue, ClusterKubelets kubelets) {
    this.client = client;
    this.queue = queue;
    this.kubelets = kubelets;
  }

  Addresses nodeAddresses() {
    return nodeAddresses;
  }

  @Override
  public void changed(ObjectChange event) {
    if (event.resource().equals(Resources.NODES)) {
      nodeAddresses.used(StoredViews.address(event.object().path("status")));
    }
    if (!event.resource().equals(Resources.PODS) || PodQueries.node(event.object()).isEmpty()) {
      return;
    }
    if (event.type() == ObjectChange.Type.DELETED) {
      forget(event.key());
    } else {
      if (event.previous() == null) {
        podAddresses.used(JsonTrees.text(event.object(), "status", "podIP"));
      }
      queue.soon(this, event.key());
    }
  }

  @Override
  public void look(ObjectKey key) {
    ObjectNode pod = client.get(Resources.PODS, key);
    if (pod == null) {
      return;
    }
    Instant now = client.clock().instant();
    PodView view = StoredViews.pod(pod, previous(key, pod), now);
    Surroundings around = kubelets.around(view);
    if (around == null) {
      return;
    }
    kubelets.warn(KnobWarnings.aboutPod(view.identity()), view.reading().problems());
    switch (PodDecision.decide(view, around.host(), around.knobs(), now)) {
      case Rest _ -> forget(key);
      case WaitUntil wait -> {
        waiting.put(key, view);
        queue.at(this, key, wait.instant());
      }
      case Remove _ -> client.deleteNow(Resources.PODS, key);
      case Write write -> {
        waiting.put(key, view);
        report(pod, view, around.host(), write);
      }
    }
  }

  private @Nullable PodView previous(ObjectKey key, ObjectNode pod) {
    PodView previous = waiting.get(key);
    boolean same =
        previous != null
            && previous.identity().uid().equals(JsonTrees.text(pod, "metadata", "uid"));
    return same ? previous : null;
  }

  private void report(ObjectNode pod, PodView view, Host host, Write write) {
    boolean first = view.running() == null && write instanceof PodStep.Start;
    String address =
        !first ? "" : view.program().hostNetwork() ? host.address() : podAddresses.next();
    PodStatus report =
        new PodStatusPatch(view, host, write, client.clock().instant()).status(address);
    client.setStatus(
        Resources.PODS, ObjectFacts.key(pod), StatusMerge.merge(pod.path("status"), report));
  }

  private void forget(ObjectKey key) {
    if (waiting.remove(key) != null) {
      queue.notLater(this, key);
    }
  }
}
