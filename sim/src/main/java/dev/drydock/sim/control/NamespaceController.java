package dev.drydock.sim.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.DeleteOptions;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;

/** Deletes the content of a terminating namespace, then removes its finalizer. */
final class NamespaceController implements Controller {
  private final Registry registry;
  private final WorkQueue queue;
  private final ResourceType namespaces;

  NamespaceController(Registry registry, WorkQueue queue) {
    this.registry = registry;
    this.queue = queue;
    this.namespaces = registry.types().require("", "namespaces");
  }

  @Override
  public void changed(ObjectChange event) {
    if (event.resource().equals(namespaces.resource())) {
      queue.soon(this, event.key());
    } else if (event.type() == ObjectChange.Type.DELETED && !event.key().namespace().isEmpty()) {
      queue.soon(this, new ObjectKey("", event.key().namespace()));
    }
  }

  @Override
  public void look(ObjectKey key) {
    ObjectNode namespace = registry.store().get(namespaces.resource(), key);
    if (namespace == null
        || !ObjectFacts.isDeleted(namespace)
        || JsonTrees.at(namespace, "spec", "finalizers").isEmpty()) {
      return;
    }
    int left = 0;
    for (ResourceType type : registry.types().stored()) {
      if (type.namespaced()) {
        left += empty(type, key.name());
      }
    }
    if (left == 0) {
      registry.finalizeNamespace(key);
    }
  }

  private int empty(ResourceType type, String namespace) {
    int left = 0;
    for (ObjectNode object : registry.store().list(type.resource(), namespace).objects()) {
      boolean gone =
          !ObjectFacts.isDeleted(object)
              && registry.delete(type, ObjectFacts.key(object), DeleteOptions.NONE).gone();
      left += gone ? 0 : 1;
    }
    return left;
  }
}
