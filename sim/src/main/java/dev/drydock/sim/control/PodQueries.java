package dev.drydock.sim.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.json.JsonTrees;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Common queries on pods. */
public final class PodQueries {
  private static final Set<String> FINISHED = Set.of("Succeeded", "Failed");

  private PodQueries() {}

  public static String phase(JsonNode pod) {
    return JsonTrees.text(pod, "status", "phase");
  }

  public static boolean isFinished(JsonNode pod) {
    return FINISHED.contains(phase(pod));
  }

  /** Neither finished nor being deleted. */
  public static boolean isActive(JsonNode pod) {
    return !isFinished(pod) && !ObjectFacts.isDeleted(pod);
  }

  public static boolean isReady(JsonNode pod) {
    return JsonTrees.hasCondition(pod, "Ready");
  }

  /** Since when it is ready, or null. */
  public static @Nullable Instant readySince(JsonNode pod) {
    JsonNode ready = StatusConditions.find(pod, "Ready");
    if (ready == null || !ready.path("status").asText().equals("True")) {
      return null;
    }
    String since = JsonTrees.text(ready, "lastTransitionTime");
    return since.isEmpty() ? Instant.EPOCH : Instant.parse(since);
  }

  public static String node(JsonNode pod) {
    return JsonTrees.text(pod, "spec", "nodeName");
  }

  /** From when on it is available, or null while it is not ready. */
  public static @Nullable Instant availableFrom(ObjectNode pod, long minReadySeconds) {
    Instant since = readySince(pod);
    return since == null ? null : since.plusSeconds(minReadySeconds);
  }
}
