package dev.drydock.sim.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.DeleteOptions;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectKey;
import java.time.Clock;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** How controllers read and write the cluster: without validation, for speed. */
public final class ControllerClient {
  private final Registry registry;
  private final Clock clock;

  public ControllerClient(Registry registry, Clock clock) {
    this.registry = registry;
    this.clock = clock;
  }

  public Clock clock() {
    return clock;
  }

  /** The time in the API's format. */
  public String now() {
    return ObjectFacts.stamp(clock);
  }

  public @Nullable ObjectNode get(String resource, ObjectKey key) {
    return registry.store().get(resource, key);
  }

  public ObjectNode create(String resource, ObjectNode object) {
    return registry.create(
        type(resource), JsonTrees.text(object, "metadata", "namespace"), object, false);
  }

  /** Deletes it, unless its deletion has started. */
  public void delete(String resource, ObjectKey key) {
    ObjectNode object = get(resource, key);
    if (object != null && !ObjectFacts.isDeleted(object)) {
      registry.delete(type(resource), key, DeleteOptions.NONE);
    }
  }

  /** Deletes it without grace period; only finalizers delay it. */
  public void deleteNow(String resource, ObjectKey key) {
    if (get(resource, key) != null) {
      registry.delete(type(resource), key, new DeleteOptions(0L, "", "", "", false));
    }
  }

  /** An ordinary update with all rules; does nothing if the object is gone. */
  public void update(String resource, ObjectKey key, UnaryOperator<ObjectNode> change) {
    if (get(resource, key) != null) {
      registry.update(type(resource), key, Registry.Update.of(change));
    }
  }

  /** Writes the status if it differs. The given status must not be modified afterwards. */
  public void setStatus(String resource, ObjectKey key, JsonNode status) {
    edit(resource, key, draft -> draft.set("status", status));
  }

  /**
   * Changes an object without validation. The draft is a shallow copy of the object and its
   * metadata: replace nested values, do not modify them.
   */
  public void edit(String resource, ObjectKey key, Consumer<ObjectNode> change) {
    ObjectNode current = get(resource, key);
    if (current == null) {
      return;
    }
    ObjectNode draft = shallow(current);
    draft.set("metadata", shallow(current.path("metadata")));
    change.accept(draft);
    if (!draft.equals(current)) {
      registry.store().put(resource, key, draft);
    }
  }

  /** A shallow copy of the tree, or an empty object if there is none. */
  public static ObjectNode shallow(JsonNode tree) {
    ObjectNode copy = JsonTrees.object();
    tree.properties().forEach(field -> copy.set(field.getKey(), field.getValue()));
    return copy;
  }

  private ResourceType type(String resource) {
    return Objects.requireNonNull(registry.types().ofResource(resource), resource);
  }
}
