package dev.drydock.sim.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.Json;
import java.time.Clock;
import java.util.List;

/**
 * Makes simulated kubelets take nodes and running pods of another cluster, or of a short file, for
 * their own: what runs goes on running. The trees given are changed.
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
    ObjectNode labels = Json.child(Json.metadata(node), "labels");
    Json.putIfAbsent(labels, NodeObjects.HOSTNAME, Json.text(node, "metadata", "name"));
    for (JsonNode address : Json.at(node, "status", "addresses")) {
      nodeAddresses.used(Json.text(address, "address"));
    }
    if (Json.text(node, "status", "nodeInfo", "bootID").isEmpty()) {
      node.set("status", NodeIntroduction.status(node, nodeAddresses, clock.instant()));
    }
  }

  /** A pod that does not run yet is left to the kubelet of its node. */
  public void adoptPod(ObjectNode pod, ObjectNode node) {
    ObjectNode status = Json.child(pod, "status");
    if (!Json.text(status, "phase").equals("Running")) {
      return;
    }
    String now = Stamps.seconds(clock.instant());
    Json.putIfAbsent(status, "startTime", now);
    if (Json.text(status, "podIP").isEmpty()) {
      status.put("podIP", podAddresses.next());
    } else {
      podAddresses.used(Json.text(status, "podIP"));
    }
    boolean ready = isReady(status);
    if (!ready) {
      // it was not ready there, and so it stays until somebody says otherwise
      Json.child(Json.metadata(pod), "annotations").put(Knob.NEVER_READY.annotation(), "true");
    }
    setContainers(pod, status, Json.text(node, "status", "nodeInfo", "bootID"), ready);
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
      if (Json.text(condition, "type").equals("Ready")) {
        return Json.text(condition, "status").equals("True");
      }
    }
    return true;
  }

  private static void setContainers(ObjectNode pod, ObjectNode status, String boot, boolean ready) {
    String uid = Json.text(pod, "metadata", "uid");
    JsonNode known = status.path("containerStatuses");
    ArrayNode containers = Json.array();
    int position = 0;
    for (JsonNode container : Json.at(pod, "spec", "containers")) {
      String name = Json.text(container, "name");
      String image = Json.text(container, "image");
      JsonNode before = known.path(position++);
      String started = Json.text(before, "state", "running", "startedAt");
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
          .put("startedAt", started.isEmpty() ? Json.text(status, "startTime") : started);
    }
    status.set("containerStatuses", containers);
  }
}
