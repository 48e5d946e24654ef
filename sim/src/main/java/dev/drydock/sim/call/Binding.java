package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectKey;
import java.time.Clock;

/** Binds a pod to a node, once. */
final class Binding {
  private final Registry registry;
  private final ResourceType pods;
  private final Clock clock;

  Binding(Registry registry, Clock clock) {
    this.registry = registry;
    this.pods = registry.types().require("", "pods");
    this.clock = clock;
  }

  void bind(ObjectKey key, JsonNode target, boolean dryRun) {
    registry
        .store()
        .write(
            () -> {
              ObjectNode pod = registry.require(pods, key).deepCopy();
              if (ObjectFacts.isDeleted(pod)) {
                throw conflict(key, "pod is being deleted, cannot be assigned to a host");
              }
              String node = JsonTrees.text(pod, "spec", "nodeName");
              if (!node.isEmpty()) {
                throw conflict(key, "pod is already assigned to node \"%s\"".formatted(node));
              }
              JsonTrees.child(pod, "spec").put("nodeName", JsonTrees.text(target, "name"));
              ArrayNode conditions = JsonTrees.child(pod, "status").withArray("conditions");
              conditions
                  .addObject()
                  .put("type", "PodScheduled")
                  .put("status", "True")
                  .put("lastTransitionTime", ObjectFacts.stamp(clock));
              if (!dryRun) {
                registry.store().put(pods.resource(), key, pod);
              }
              return true;
            });
  }

  private StatusException conflict(ObjectKey key, String why) {
    return StatusException.conflict(pods, key.name(), why);
  }
}
