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

/** How controllers read and change the cluster: fast, for they know what they write. */
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

  /** The time as objects carry it. */
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

  /** Deletes it, unless that has begun already. */
  public void delete(String resource, ObjectKey key) {
    ObjectNode object = get(resource, key);
    if (object != null && !ObjectFacts.isDeleted(object)) {
      registry.delete(type(resource), key, DeleteOptions.NONE);
    }
  }

  /** Deletes it without waiting for anybody but finalizers. */
  public void deleteNow(String resource, ObjectKey key) {
    if (get(resource, key) != null) {
      registry.delete(type(resource), key, new DeleteOptions(0L, "", "", "", false));
    }
  }

  /** An ordinary update, with all rules; nothing if it is gone. */
  public void update(String resource, ObjectKey key, UnaryOperator<ObjectNode> change) {
    if (get(resource, key) != null) {
      registry.update(type(resource), key, Registry.Update.of(change));
    }
  }

  /** Sets the status, if it is another one. The status given must not be changed afterwards. */
  public void setStatus(String resource, ObjectKey key, JsonNode status) {
    edit(resource, key, draft -> draft.set("status", status));
  }

  /**
   * Changes an object past the rules. The draft is a copy of the object itself and of its metadata
   * only: what is below is to be replaced, not changed.
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

  /** A copy of the tree's top, empty if there is none: what is below is shared. */
  public static ObjectNode shallow(JsonNode tree) {
    ObjectNode copy = JsonTrees.object();
    tree.properties().forEach(field -> copy.set(field.getKey(), field.getValue()));
    return copy;
  }

  private ResourceType type(String resource) {
    return Objects.requireNonNull(registry.types().ofResource(resource), resource);
  }
}
