package dev.drydock.sim.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.DeleteOptions;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.Registry.Update;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Deletes objects whose owners are gone. */
final class GarbageCollector implements Controller {
  private static final String ORPHAN = "orphan";
  private static final String FOREGROUND = "foregroundDeletion";

  private record Address(String resource, ObjectKey key) {}

  /** Checks the owners of all objects of one resource. */
  private record Collection(GarbageCollector collector, String resource) implements Controller {
    @Override
    public void changed(ObjectChange event) {}

    @Override
    public void look(ObjectKey key) {
      collector.collect(new Address(resource, key));
    }
  }

  private final Registry registry;
  private final WorkQueue queue;
  private final Map<String, Address> living = new HashMap<>();
  private final Map<String, Set<Address>> dependents = new HashMap<>();

  GarbageCollector(Registry registry, WorkQueue queue) {
    this.registry = registry;
    this.queue = queue;
    registry.store().index(this::note);
  }

  @Override
  public void changed(ObjectChange event) {
    if (event.type() == ObjectChange.Type.DELETED) {
      dependentsOf(event.object()).forEach(this::collectSoon);
      dependents.remove(ObjectFacts.uid(event.object()));
      // an owner in foreground deletion may have waited for this one
      owners(event.object())
          .valueStream()
          .map(it -> JsonTrees.text(it, "uid"))
          .forEach(this::finish);
      return;
    }
    if (ObjectFacts.isDeleted(event.object())) {
      release(event);
    }
    if (!owners(event.object()).isEmpty()) {
      collectSoon(new Address(event.resource(), event.key()));
    }
  }

  /** Deferred, because the owners of imported objects may be imported later. */
  private void collectSoon(Address address) {
    queue.soon(new Collection(this, address.resource()), address.key());
  }

  private void note(ObjectChange event) {
    Address address = new Address(event.resource(), event.key());
    ObjectNode previous = event.previous();
    if (previous != null) {
      owners(previous).forEach(owner -> dependents(owner).remove(address));
    }
    if (event.type() == ObjectChange.Type.DELETED) {
      living.remove(ObjectFacts.uid(event.object()));
    } else {
      living.put(ObjectFacts.uid(event.object()), address);
      owners(event.object()).forEach(owner -> dependents(owner).add(address));
    }
  }

  private Set<Address> dependents(JsonNode owner) {
    return dependents.computeIfAbsent(JsonTrees.text(owner, "uid"), _ -> new LinkedHashSet<>());
  }

  private List<Address> dependentsOf(JsonNode owner) {
    return List.copyOf(dependents.getOrDefault(ObjectFacts.uid(owner), Set.of()));
  }

  private static JsonNode owners(JsonNode object) {
    return JsonTrees.at(object, "metadata", "ownerReferences");
  }

  /** Deletes the object if it has owners and all of them are gone. */
  private void collect(Address address) {
    ResourceType type = registry.types().ofResource(address.resource());
    ObjectNode object =
        type == null ? null : registry.store().get(address.resource(), address.key());
    if (type == null
        || object == null
        || ObjectFacts.isDeleted(object)
        || owners(object).isEmpty()) {
      return;
    }
    if (owners(object).valueStream().noneMatch(this::mayLive)) {
      registry.delete(type, address.key(), DeleteOptions.NONE);
    }
  }

  /** An owner of an unknown kind is never considered gone. */
  private boolean mayLive(JsonNode owner) {
    return living.containsKey(JsonTrees.text(owner, "uid"))
        || registry
                .types()
                .ofKind(JsonTrees.text(owner, "apiVersion"), JsonTrees.text(owner, "kind"))
            == null;
  }

  /** Handles the dependents of an object according to its propagation policy. */
  private void release(ObjectChange event) {
    ResourceType type = registry.types().ofResource(event.resource());
    if (type == null) {
      return;
    }
    if (ObjectFacts.hasFinalizer(event.object(), ORPHAN)) {
      dependentsOf(event.object()).forEach(each -> disown(each, ObjectFacts.uid(event.object())));
      registry.update(
          type, event.key(), Update.of(object -> ObjectFacts.withoutFinalizer(object, ORPHAN)));
    } else if (ObjectFacts.hasFinalizer(event.object(), FOREGROUND)) {
      dependentsOf(event.object()).forEach(this::deleteInForeground);
      finish(ObjectFacts.uid(event.object()));
    }
  }

  private void disown(Address address, String owner) {
    ResourceType type = registry.types().ofResource(address.resource());
    if (type == null || registry.store().get(address.resource(), address.key()) == null) {
      return;
    }
    registry.update(
        type,
        address.key(),
        Update.of(
            object -> {
              ArrayNode left = JsonTrees.array();
              owners(object)
                  .valueStream()
                  .filter(reference -> !JsonTrees.text(reference, "uid").equals(owner))
                  .forEach(left::add);
              JsonTrees.metadata(object).set("ownerReferences", left);
              return object;
            }));
  }

  private void deleteInForeground(Address address) {
    ResourceType type = registry.types().ofResource(address.resource());
    ObjectNode object = registry.store().get(address.resource(), address.key());
    if (type != null && object != null && !ObjectFacts.isDeleted(object)) {
      registry.delete(type, address.key(), new DeleteOptions(null, "", "", "Foreground", false));
    }
  }

  /** Removes the foregroundDeletion finalizer if no dependent is left. */
  private void finish(String uid) {
    Address address = living.get(uid);
    ResourceType type = address == null ? null : registry.types().ofResource(address.resource());
    if (address == null || type == null || !dependents.getOrDefault(uid, Set.of()).isEmpty()) {
      return;
    }
    ObjectNode object = registry.store().get(address.resource(), address.key());
    if (object != null
        && ObjectFacts.isDeleted(object)
        && ObjectFacts.hasFinalizer(object, FOREGROUND)) {
      registry.update(
          type,
          address.key(),
          Update.of(waiting -> ObjectFacts.withoutFinalizer(waiting, FOREGROUND)));
    }
  }
}
