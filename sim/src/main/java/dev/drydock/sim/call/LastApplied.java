package dev.drydock.sim.call;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.fields.OwnedByOthers.Conflict;
import dev.drydock.sim.fields.Ownership;
import dev.drydock.sim.json.JsonTrees;
import java.util.List;
import java.util.Set;

/**
 * The annotation of kubectl's client-side apply. A user who switches to server-side apply gets no
 * conflicts with their own earlier apply.
 */
final class LastApplied {
  private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

  private LastApplied() {}

  /** Whether all these conflicts are with kubectl's own earlier client-side apply. */
  static boolean covers(ObjectNode live, Ownership.Form form, List<Conflict> conflicts) {
    String last = JsonTrees.text(live, "metadata", "annotations", ANNOTATION);
    try {
      if (last.isEmpty()
          || !(JsonTrees.MAPPER.readTree(last) instanceof ObjectNode configuration)) {
        return false;
      }
      Set<String> own = Ownership.unchangedSince(configuration, live, form);
      return conflicts.stream().allMatch(conflict -> own.contains(conflict.field()));
    } catch (JsonProcessingException e) {
      // an annotation may contain anything
      return false;
    }
  }

  /** The object with its annotation, if present, updated. */
  static ObjectNode renewed(ObjectNode object, ObjectNode configuration) {
    if (!JsonTrees.text(object, "metadata", "annotations", ANNOTATION).isEmpty()) {
      JsonTrees.child(JsonTrees.metadata(object), "annotations")
          .put(ANNOTATION, configuration + "\n");
    }
    return object;
  }
}
