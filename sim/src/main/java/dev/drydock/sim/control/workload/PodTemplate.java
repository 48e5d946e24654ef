package dev.drydock.sim.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.control.ObjectRefs;
import dev.drydock.sim.json.JsonTrees;
import java.nio.charset.StandardCharsets;

/** Creates pods from a controller's template. */
final class PodTemplate {
  /** Kubernetes' alphabet for names, without vowels and ambiguous characters. */
  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

  private static final int HASH_LENGTH = 10;
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private PodTemplate() {}

  /** A pod of this owner, still without a name; may be modified. */
  static ObjectNode pod(ObjectNode owner) {
    JsonNode template = JsonTrees.at(owner, "spec", "template");
    ObjectNode pod = JsonTrees.object().put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = JsonTrees.metadata(pod);
    metadata.put("namespace", JsonTrees.text(owner, "metadata", "namespace"));
    metadata.put("generateName", JsonTrees.text(owner, "metadata", "name") + "-");
    for (String field : new String[] {"labels", "annotations", "finalizers"}) {
      JsonTrees.copy(metadata, field, JsonTrees.at(template, "metadata", field));
    }
    metadata.putArray("ownerReferences").add(ObjectRefs.toController(owner));
    JsonTrees.copy(pod, "spec", template.path("spec"));
    return pod;
  }

  static ObjectNode labels(ObjectNode object) {
    return JsonTrees.child(JsonTrees.metadata(object), "labels");
  }

  /** A hash of the template that is valid in a name. */
  static String hash(JsonNode template) {
    long hash = FNV_OFFSET;
    for (byte each : template.toString().getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (each & 0xff)) * FNV_PRIME;
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < HASH_LENGTH; i++) {
      text.append(LETTERS.charAt((int) Long.remainderUnsigned(hash, LETTERS.length())));
      hash = Long.divideUnsigned(hash, LETTERS.length());
    }
    return text.toString();
  }
}
