package dev.drydock.sim.control.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.json.JsonTrees;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A pod's scheduling requirements. Pods with equal {@code text} differ only in requested
 * quantities.
 */
record PodShape(JsonNode spec, String text, boolean byName, Map<String, Long> requests) {
  static PodShape of(JsonNode spec) {
    JsonNode selector = spec.path("nodeSelector");
    JsonNode required = NodeMatch.required(spec);
    String affinity = required.isMissingNode() ? "" : required.toString();
    String text = selector + "\n" + affinity + "\n" + spec.path("tolerations");
    boolean byName =
        selector.has(NodeMatch.HOSTNAME)
            || affinity.contains("matchFields")
            || affinity.contains(NodeMatch.HOSTNAME);
    return new PodShape(spec, text, byName, MilliQuantities.requests(spec));
  }

  /** The only node that the pod can run on, as for DaemonSet pods, or null. */
  @Nullable String onlyNode() {
    JsonNode terms = NodeMatch.required(spec).path("nodeSelectorTerms");
    JsonNode fields = terms.path(0).path("matchFields");
    if (terms.size() != 1 || fields.size() != 1) {
      return null;
    }
    List<String> values = JsonTrees.texts(fields.path(0).path("values"));
    return JsonTrees.text(fields.path(0), "operator").equals("In") && values.size() == 1
        ? values.getFirst()
        : null;
  }
}
