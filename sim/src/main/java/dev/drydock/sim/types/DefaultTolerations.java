package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import java.util.List;

/** Adds the default tolerations for unreachable and not-ready nodes, unless the pod has its own. */
final class DefaultTolerations {
  private static final int SECONDS = 300;
  private static final List<String> KEYS =
      List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

  private DefaultTolerations() {}

  static void add(ObjectNode podSpec) {
    for (String key : KEYS) {
      if (podSpec.path("tolerations").valueStream().noneMatch(each -> speaksOf(each, key))) {
        podSpec
            .withArray("tolerations")
            .addObject()
            .put("key", key)
            .put("operator", "Exists")
            .put("effect", "NoExecute")
            .put("tolerationSeconds", SECONDS);
      }
    }
  }

  private static boolean speaksOf(JsonNode toleration, String key) {
    String effect = JsonTrees.text(toleration, "effect");
    String spoken = JsonTrees.text(toleration, "key");
    return (spoken.isEmpty() || spoken.equals(key))
        && (effect.isEmpty() || effect.equals("NoExecute"));
  }
}
