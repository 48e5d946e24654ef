package dev.drydock.sim.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.fields.Ownership;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectKey;
import dev.drydock.sim.store.Store;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Writes objects by the general rules and those of their type. All objects are in stored form. */
public final class Registry {
  /**
   * An update of an object or one of its parts. Without a writer, the object's managedFields are
   * taken as given.
   */
  public record Update(
      UnaryOperator<ObjectNode> change,
      boolean ofStatus,
      boolean dryRun,
      Ownership.@Nullable Writer writer) {
    public static Update of(UnaryOperator<ObjectNode> change) {
      return new Update(change, false, false, null);
    }

    public static Update ofStatus(UnaryOperator<ObjectNode> change) {
      return new Update(change, true, false, null);
    }

    /** This update as a dry run. */
    public Update tried() {
      return new Update(change, ofStatus, true, writer);
    }

    public Update with(UnaryOperator<ObjectNode> other) {
      return new Update(other, ofStatus, dryRun, writer);
    }
  }

  /** The deleted object in its last or current form, and whether it is gone already. */
  public record Deleted(ObjectNode object, boolean gone) {}

  private final Store store;
  private final TypeCatalog types;
  private final MetadataRules metadata;

  public Registry(Store store, TypeCatalog types, Clock clock, Identities identities) {
    this.store = store;
    this.types = types;
    this.metadata = new MetadataRules(clock, identities);
  }

  public Store store() {
    return store;
  }

  public TypeCatalog types() {
    return types;
  }

  public ObjectNode require(ResourceType type, ObjectKey key) {
    ObjectNode object = store.get(type.resource(), key);
    if (object == null) {
      throw StatusException.notFound(type, key.name());
    }
    return object;
  }

  public ObjectNode create(ResourceType type, String namespace, ObjectNode given, boolean dryRun) {
    return create(type, namespace, given, dryRun, null);
  }

  /** Without a writer, the object's managedFields are taken as given. */
  public ObjectNode create(
      ResourceType type,
      String namespace,
      ObjectNode given,
      boolean dryRun,
      Ownership.@Nullable Writer writer) {
    return store.write(
        () -> {
          ObjectNode object = given.deepCopy();
          metadata.beforeCreate(type, namespace, object);
          ObjectKey key = ObjectFacts.key(object);
          requireLivingNamespace(type, key);
          type.rules().beforeCreate(object);
          type.rules().admit(object, type, store);
          if (writer != null) {
            Ownership.created(object, type.form(false), writer);
          }
          metadata.beginGenerations(type, object);
          List<Cause> causes = new ArrayList<>(MetadataRules.validate(object));
          causes.addAll(type.rules().validate(object, null));
          refuseIfInvalid(type, object, causes);
          if (store.get(type.resource(), key) != null) {
            throw StatusException.alreadyExists(type, key.name());
          }
          if (!dryRun) {
            store.put(type.resource(), key, object);
          }
          return object;
        });
  }

  /** Gives the object a UID if it has none. */
  public void identify(ObjectNode object) {
    metadata.identify(object);
  }

  /**
   * Imports an object as it is, with UID and status, for example from another cluster; fields that
   * only a server sets are filled in. The given tree is stored.
   */
  public ObjectNode restore(ResourceType type, ObjectNode object) {
    return store.write(
        () -> {
          JsonNode status = object.path("status");
          metadata.beforeRestore(type, object);
          type.rules().beforeCreate(object);
          if (status.isObject()) {
            object.set("status", status);
          }
          store.put(type.resource(), ObjectFacts.key(object), object);
          return object;
        });
  }

  /** Objects cannot be created in a namespace that is missing or terminating. */
  public void requireLivingNamespace(ResourceType type, ObjectKey key) {
    if (!type.namespaced()) {
      return;
    }
    ResourceType namespaces = types.require("", "namespaces");
    ObjectNode namespace = require(namespaces, new ObjectKey("", key.namespace()));
    if (ObjectFacts.isDeleted(namespace)) {
      String why = "namespace %s is being terminated".formatted(key.namespace());
      throw StatusException.forbidden(
              type,
              key.name(),
              "unable to create new content in namespace %s because it is being terminated"
                  .formatted(key.namespace()))
          .because(List.of(new Cause("NamespaceTerminating", "metadata.namespace", why)));
    }
  }

  public ObjectNode update(ResourceType type, ObjectKey key, Update update) {
    return store.write(
        () -> {
          ObjectNode before = require(type, key);
          ObjectNode written = update.change().apply(before.deepCopy());
          metadata.refuseIfNotMeant(type, written, before);
          ObjectNode object = update.ofStatus() ? before.deepCopy() : written;
          if (update.ofStatus()) {
            type.rules().takeStatus(object, written);
            JsonNode owners = JsonTrees.at(written, "metadata", "managedFields");
            JsonTrees.copy(JsonTrees.metadata(object), "managedFields", owners);
          } else if (type.rules().hasStatus()) {
            JsonTrees.copy(object, "status", before.path("status"));
          }
          refuseIfInvalid(type, object, MetadataRules.validateUpdate(written, before));
          metadata.beforeUpdate(object, before);
          if (!update.ofStatus()) {
            type.rules().beforeUpdate(object, before);
          }
          refuseIfInvalid(type, object, type.rules().validate(object, before));
          metadata.countGeneration(type, object, before);
          if (update.writer() != null) {
            Ownership.updated(before, object, type.form(update.ofStatus()), update.writer());
          }
          return update.dryRun() || object.equals(before) ? object : commit(type, key, object);
        });
  }

  /** Writes the object, or removes it if nothing keeps it any more. */
  private ObjectNode commit(ResourceType type, ObjectKey key, ObjectNode object) {
    if (MetadataRules.mayGo(object) && !type.rules().isHeld(object)) {
      store.remove(type.resource(), key, object);
    } else {
      store.put(type.resource(), key, object);
    }
    return object;
  }

  public Deleted delete(ResourceType type, ObjectKey key, DeleteOptions options) {
    return store.write(
        () -> {
          ObjectNode before = require(type, key);
          options.check(type, key.name(), before);
          ObjectNode object = before.deepCopy();
          long grace = type.rules().graceSeconds(object, options.graceSeconds());
          metadata.markDeleted(object, grace);
          metadata.addPropagation(object, before, options.propagation());
          type.rules().beforeDelete(object);
          boolean goes = MetadataRules.mayGo(object) && !type.rules().isHeld(object);
          if (!options.dryRun() && goes) {
            store.remove(type.resource(), key, object);
          } else if (!options.dryRun() && !object.equals(before)) {
            store.put(type.resource(), key, object);
          }
          return new Deleted(object, goes);
        });
  }

  /** Removes the finalizer in a namespace's spec, which an update cannot do. */
  public void finalizeNamespace(ObjectKey key) {
    ResourceType namespaces = types.require("", "namespaces");
    store.write(
        () -> {
          ObjectNode namespace = require(namespaces, key).deepCopy();
          JsonTrees.child(namespace, "spec").remove("finalizers");
          return commit(namespaces, key, namespace);
        });
  }

  private static void refuseIfInvalid(ResourceType type, ObjectNode object, List<Cause> causes) {
    if (!causes.isEmpty()) {
      throw StatusException.invalid(type, JsonTrees.text(object, "metadata", "name"), causes);
    }
  }
}
