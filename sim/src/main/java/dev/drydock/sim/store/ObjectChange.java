package dev.drydock.sim.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import org.jspecify.annotations.Nullable;

/**
 * One change of one object. A deleted object is in its last state, with the version of the
 * deletion.
 */
public record ObjectChange(
    String resource,
    ObjectKey key,
    Type type,
    ObjectNode object,
    @Nullable ObjectNode previous,
    long version) {
  /** The type of the change, as in watches. */
  public enum Type {
    ADDED,
    MODIFIED,
    DELETED
  }

  /** Whether this field differs from before; true for a new object. */
  public boolean changes(String... path) {
    return previous == null || !JsonTrees.at(previous, path).equals(JsonTrees.at(object, path));
  }
}
