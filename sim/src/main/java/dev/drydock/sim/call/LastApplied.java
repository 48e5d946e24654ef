package dev.drydock.sim.call;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.fields.OwnedByOthers.Conflict;
import dev.drydock.sim.fields.Ownership;
import dev.drydock.sim.json.JsonTrees;
import java.util.List;
import java.util.Set;

/**
 * What kubectl applied when it still merged by itself, in an annotation. Who goes over to applying
 * on the server has no conflict with oneself.
 */
final class LastApplied {
  private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

  private LastApplied() {}

  /** Whether all of these conflicts are with what kubectl itself had applied before. */
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
      // anybody may write anything into an annotation
      return false;
    }
  }

  /** The object, with the annotation, if it had one, as it would be now. */
  static ObjectNode renewed(ObjectNode object, ObjectNode configuration) {
    if (!JsonTrees.text(object, "metadata", "annotations", ANNOTATION).isEmpty()) {
      JsonTrees.child(JsonTrees.metadata(object), "annotations")
          .put(ANNOTATION, configuration + "\n");
    }
    return object;
  }
}
