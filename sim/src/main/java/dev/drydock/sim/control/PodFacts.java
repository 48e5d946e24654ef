package dev.drydock.sim.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.json.Json;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What controllers ask of a pod. */
public final class PodFacts {
  private static final Set<String> FINISHED = Set.of("Succeeded", "Failed");

  private PodFacts() {}

  public static String phase(JsonNode pod) {
    return Json.text(pod, "status", "phase");
  }

  public static boolean isFinished(JsonNode pod) {
    return FINISHED.contains(phase(pod));
  }

  /** Neither ended nor about to. */
  public static boolean isActive(JsonNode pod) {
    return !isFinished(pod) && !ObjectFacts.isDeleted(pod);
  }

  public static boolean isReady(JsonNode pod) {
    return Conditions.holds(pod, "Ready");
  }

  /** Since when it is ready, or null. */
  public static @Nullable Instant readySince(JsonNode pod) {
    JsonNode ready = Conditions.find(pod, "Ready");
    if (ready == null || !ready.path("status").asText().equals("True")) {
      return null;
    }
    String since = Json.text(ready, "lastTransitionTime");
    return since.isEmpty() ? Instant.EPOCH : Instant.parse(since);
  }

  public static String node(JsonNode pod) {
    return Json.text(pod, "spec", "nodeName");
  }

  /** From when on it counts as available, or null while it is not ready. */
  public static @Nullable Instant availableFrom(ObjectNode pod, long minReadySeconds) {
    Instant since = readySince(pod);
    return since == null ? null : since.plusSeconds(minReadySeconds);
  }
}
