package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.json.JsonTrees;

/** The priority classes that exist in every cluster. */
public final class SystemPriorities {
  private SystemPriorities() {}

  public static void create(Registry registry) {
    create(registry, "system-cluster-critical", 2_000_000_000);
    create(registry, "system-node-critical", 2_000_001_000);
  }

  private static void create(Registry registry, String name, int value) {
    ResourceType classes = registry.types().require("scheduling.k8s.io", "priorityclasses");
    ObjectNode critical =
        JsonTrees.object().put("apiVersion", classes.apiVersion()).put("kind", "PriorityClass");
    JsonTrees.metadata(critical).put("name", name);
    registry.create(classes, "", critical.put("value", value), false);
  }
}
