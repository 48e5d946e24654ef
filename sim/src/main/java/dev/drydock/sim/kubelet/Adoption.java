package dev.drydock.sim.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import java.time.Clock;
import java.util.List;

/**
 * Prepares nodes and running pods of another cluster, or of a short file, for simulated kubelets:
 * running pods continue to run. Modifies the given trees.
 */
public final class Adoption {
  private static final List<String> CONDITIONS =
      List.of(
          "PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled");

  private final Clock clock;
  private final Addresses nodeAddresses = Addresses.ofNodes();
  private final Addresses podAddresses = Addresses.ofPods();

  public Adoption(Clock clock) {
    this.clock = clock;
  }

  public void adoptNode(ObjectNode node) {
    ObjectNode labels = JsonTrees.child(JsonTrees.metadata(node), "labels");
    JsonTrees.putIfAbsent(labels, NodeObjects.HOSTNAME, JsonTrees.text(node, "metadata", "name"));
    for (JsonNode address : JsonTrees.at(node, "status", "addresses")) {
      nodeAddresses.used(JsonTrees.text(address, "address"));
    }
    if (JsonTrees.text(node, "status", "nodeInfo", "bootID").isEmpty()) {
      node.set("status", NodeIntroduction.status(node, nodeAddresses, clock.instant()));
    }
  }

  /** A pod that does not run yet is left to the kubelet of its node. */
  public void adoptPod(ObjectNode pod, ObjectNode node) {
    ObjectNode status = JsonTrees.child(pod, "status");
    if (!JsonTrees.text(status, "phase").equals("Running")) {
      return;
    }
    String now = Stamps.seconds(clock.instant());
    JsonTrees.putIfAbsent(status, "startTime", now);
    if (JsonTrees.text(status, "podIP").isEmpty()) {
      status.put("podIP", podAddresses.next());
    } else {
      podAddresses.used(JsonTrees.text(status, "podIP"));
    }
    boolean ready = isReady(status);
    if (!ready) {
      // it was not ready there, and stays so until a knob changes that
      JsonTrees.child(JsonTrees.metadata(pod), "annotations")
          .put(Knob.NEVER_READY.annotation(), "true");
    }
    setContainers(pod, status, JsonTrees.text(node, "status", "nodeInfo", "bootID"), ready);
    if (status.path("conditions").isEmpty()) {
      ArrayNode conditions = status.putArray("conditions");
      for (String type : CONDITIONS) {
        conditions
            .addObject()
            .put("type", type)
            .put("status", "True")
            .put("lastTransitionTime", now);
      }
    }
  }

  private static boolean isReady(ObjectNode status) {
    for (JsonNode condition : status.path("conditions")) {
      if (JsonTrees.text(condition, "type").equals("Ready")) {
        return JsonTrees.text(condition, "status").equals("True");
      }
    }
    return true;
  }

  private static void setContainers(ObjectNode pod, ObjectNode status, String boot, boolean ready) {
    String uid = JsonTrees.text(pod, "metadata", "uid");
    JsonNode known = status.path("containerStatuses");
    ArrayNode containers = JsonTrees.array();
    int position = 0;
    for (JsonNode container : JsonTrees.at(pod, "spec", "containers")) {
      String name = JsonTrees.text(container, "name");
      String image = JsonTrees.text(container, "image");
      JsonNode before = known.path(position++);
      String started = JsonTrees.text(before, "state", "running", "startedAt");
      ObjectNode running = containers.addObject().put("name", name).put("image", image);
      running.put("imageID", image);
      running.put(
          "containerID",
          PodView.containerId(boot, uid, new PodView.Part(name, image, PodView.Role.MAIN)));
      running.put("started", true).put("ready", ready);
      running.put("restartCount", before.path("restartCount").asInt());
      running
          .putObject("state")
          .putObject("running")
          .put("startedAt", started.isEmpty() ? JsonTrees.text(status, "startTime") : started);
    }
    status.set("containerStatuses", containers);
  }
}
