package dev.drydock.sim.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All objects of the cluster, with one resource version counter. Stored trees are never modified:
 * copy an object before changing it.
 */
public final class Store {
  /** Detects controllers that react to each other endlessly. */
  private static final int MOST_CONSEQUENCES = 10_000_000;

  /** The objects at one version. */
  public record Snapshot(List<ObjectNode> objects, long version) {}

  /** The events up to a version. */
  public record Batch(List<ObjectChange> events, long upTo, boolean closed) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, ResourceStore> shelves = new HashMap<>();
  private final List<Consumer<ObjectChange>> indexes = new CopyOnWriteArrayList<>();
  private final List<Consumer<ObjectChange>> listeners = new CopyOnWriteArrayList<>();
  private final List<BooleanSupplier> settlers = new CopyOnWriteArrayList<>();
  private final List<Runnable> dropped = new CopyOnWriteArrayList<>();
  private final Deque<ObjectChange> untold = new ArrayDeque<>();
  private final int history;
  private long version;
  private boolean closed;

  /** Keeps at least this many last events of each resource. */
  public Store(int history) {
    this.history = history;
  }

  /** Called at once for every change, so that it is never behind the store. It must not write. */
  public void index(Consumer<ObjectChange> index) {
    indexes.add(index);
  }

  /** Called after all listeners were notified of all changes, until it has nothing left to do. */
  public void settleBy(BooleanSupplier settler) {
    settlers.add(settler);
  }

  /** Called for every change, in order, after its write and before the next. */
  public void listen(Consumer<ObjectChange> listener) {
    listeners.add(listener);
  }

  public void unlisten(Consumer<ObjectChange> listener) {
    listeners.remove(listener);
  }

  /** Called when something is not kept any more: a resource, or all of them. */
  public void listenForDrops(Runnable listener) {
    dropped.add(listener);
  }

  /** How many last events of each resource it keeps at least. */
  public int history() {
    return history;
  }

  /** Runs exclusively, with all reactions to it. Writes before a failure stay. */
  public <T> T write(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      try {
        if (lock.getHoldCount() == 1) {
          settle();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private void settle() {
    int steps = 0;
    boolean goesOn = true;
    while (goesOn) {
      ObjectChange event = untold.pollFirst();
      if (event != null) {
        listeners.forEach(listener -> listener.accept(event));
      } else {
        goesOn = settlers.stream().anyMatch(BooleanSupplier::getAsBoolean);
      }
      if (++steps > MOST_CONSEQUENCES) {
        throw new IllegalStateException("controllers do not come to rest, last with " + event);
      }
    }
  }

  /** The version of the last change. */
  public long version() {
    return write(() -> version);
  }

  /** Adds a resource. */
  public void open(String resource) {
    write(() -> shelves.computeIfAbsent(resource, _ -> new ResourceStore(version, history)));
  }

  /** Whether it still keeps this resource, so that more can happen to it. */
  public boolean keeps(String resource) {
    lock.lock();
    try {
      return !closed && shelves.containsKey(resource);
    } finally {
      lock.unlock();
    }
  }

  /** Keeps this resource no longer, nor what is left of it. */
  public void drop(String resource) {
    write(() -> shelves.remove(resource));
    dropped.forEach(Runnable::run);
  }

  /** Drops the event history, as a real store does from time to time. */
  public void compact() {
    write(
        () -> {
          shelves.values().forEach(ResourceStore::compact);
          return true;
        });
  }

  public @Nullable ObjectNode get(String resource, ObjectKey key) {
    lock.lock();
    try {
      return resourceStore(resource).get(key);
    } finally {
      lock.unlock();
    }
  }

  /** The current objects of a resource, in all namespaces or one. */
  public Snapshot list(String resource, @Nullable String namespace) {
    lock.lock();
    try {
      return new Snapshot(
          List.copyOf(resourceStore(resource).objects(namespace).values()), version);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The objects of a resource at a version.
   *
   * @throws VersionForgotten if the version is too old
   */
  public Snapshot listAt(String resource, @Nullable String namespace, long then) {
    lock.lock();
    try {
      return new Snapshot(
          List.copyOf(resourceStore(resource).objectsAt(then, namespace).values()), then);
    } finally {
      lock.unlock();
    }
  }

  /** Stores the new or changed object with a new resource version. */
  public void put(String resource, ObjectKey key, ObjectNode object) {
    lock.lock();
    try {
      ObjectNode previous = resourceStore(resource).get(key);
      ObjectChange.Type type =
          previous == null ? ObjectChange.Type.ADDED : ObjectChange.Type.MODIFIED;
      record(new ObjectChange(resource, key, type, object, previous, version + 1));
    } finally {
      lock.unlock();
    }
  }

  /** Removes the object, whose last state is given. */
  public void remove(String resource, ObjectKey key, ObjectNode last) {
    lock.lock();
    try {
      ObjectNode previous = resourceStore(resource).get(key);
      record(
          new ObjectChange(resource, key, ObjectChange.Type.DELETED, last, previous, version + 1));
    } finally {
      lock.unlock();
    }
  }

  private void record(ObjectChange event) {
    version = event.version();
    JsonTrees.metadata(event.object()).put("resourceVersion", Long.toString(version));
    resourceStore(event.resource()).record(event);
    indexes.forEach(index -> index.accept(event));
    untold.addLast(event);
  }

  /**
   * The events of a resource after a version.
   *
   * @throws VersionForgotten if the version is too old
   */
  public Batch after(String resource, long then) {
    lock.lock();
    try {
      boolean ended = closed || !shelves.containsKey(resource);
      List<ObjectChange> events =
          ended ? List.of() : List.copyOf(resourceStore(resource).after(then));
      return new Batch(events, version, ended);
    } finally {
      lock.unlock();
    }
  }

  /** Ends all that waits for more. */
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    dropped.forEach(Runnable::run);
  }

  private ResourceStore resourceStore(String resource) {
    ResourceStore resources = shelves.get(resource);
    if (resources == null) {
      throw new IllegalStateException("no such resource: " + resource);
    }
    return resources;
  }
}
