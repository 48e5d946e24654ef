package dev.drydock.sim.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.RandomAccess;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The objects of one resource and their recent events. Not thread-safe; {@link Store} is. */
final class ResourceStore {
  private final NavigableMap<ObjectKey, ObjectNode> objects = new TreeMap<>();
  private final List<ObjectChange> log = new ArrayList<>();
  private final int history;
  private long oldest;

  /** Keeps events from this version on, at least the given number of the last ones. */
  ResourceStore(long since, int history) {
    this.oldest = since;
    this.history = history;
  }

  @Nullable ObjectNode get(ObjectKey key) {
    return objects.get(key);
  }

  void record(ObjectChange event) {
    if (event.type() == ObjectChange.Type.DELETED) {
      objects.remove(event.key());
    } else {
      objects.put(event.key(), event.object());
    }
    log.add(event);
    // in large pieces, because removing from the front moves all the rest
    if (log.size() > 2 * history) {
      forget(log.size() - history);
    }
  }

  /** Drops all events so far. */
  void compact() {
    forget(log.size());
  }

  private void forget(int events) {
    if (events > 0) {
      oldest = log.get(events - 1).version();
      log.subList(0, events).clear();
    }
  }

  /** All objects, or those of one namespace, by name. */
  NavigableMap<ObjectKey, ObjectNode> objects(@Nullable String namespace) {
    return namespace == null ? objects : within(objects, namespace);
  }

  /** The objects at a version. */
  NavigableMap<ObjectKey, ObjectNode> objectsAt(long version, @Nullable String namespace) {
    NavigableMap<ObjectKey, ObjectNode> then = new TreeMap<>(objects);
    for (ObjectChange undone : after(version).reversed()) {
      ObjectNode previous = undone.previous();
      if (previous == null) {
        then.remove(undone.key());
      } else {
        then.put(undone.key(), previous);
      }
    }
    return namespace == null ? then : within(then, namespace);
  }

  /** The events after this version. */
  List<ObjectChange> after(long version) {
    if (version < oldest) {
      throw new VersionForgotten(version, oldest);
    }
    List<Long> versions = new VersionsOf(log);
    int found = Collections.binarySearch(versions, version);
    return log.subList(found < 0 ? -found - 1 : found + 1, log.size());
  }

  private static NavigableMap<ObjectKey, ObjectNode> within(
      NavigableMap<ObjectKey, ObjectNode> objects, String namespace) {
    // names are never empty, and no namespace contains a zero character
    return objects.subMap(
        new ObjectKey(namespace, ""), true, new ObjectKey(namespace + "\0", ""), false);
  }

  private static final class VersionsOf extends AbstractList<Long> implements RandomAccess {
    private final List<ObjectChange> events;

    VersionsOf(List<ObjectChange> events) {
      this.events = events;
    }

    @Override
    public Long get(int index) {
      return events.get(index).version();
    }

    @Override
    public int size() {
      return events.size();
    }
  }
}
