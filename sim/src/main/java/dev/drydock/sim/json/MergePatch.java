package dev.drydock.sim.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** JSON merge patch (RFC 7386): objects are merged, null removes, all else replaces. */
public final class MergePatch {
  private MergePatch() {}

  /** The target with the patch applied; neither is modified. */
  public static JsonNode apply(JsonNode target, JsonNode patch) {
    if (!(patch instanceof ObjectNode changes)) {
      return patch.deepCopy();
    }
    ObjectNode merged =
        target instanceof ObjectNode object ? object.deepCopy() : JsonTrees.object();
    changes
        .properties()
        .forEach(
            change -> {
              if (change.getValue().isNull()) {
                merged.remove(change.getKey());
              } else {
                merged.set(change.getKey(), apply(merged.path(change.getKey()), change.getValue()));
              }
            });
    return merged;
  }
}
