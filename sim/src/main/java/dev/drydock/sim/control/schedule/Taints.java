package dev.drydock.sim.control.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.json.JsonTrees;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Matches tolerations with taints. Pure. */
public final class Taints {
  public static final String NO_SCHEDULE = "NoSchedule";
  public static final String NO_EXECUTE = "NoExecute";
  public static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";
  public static final String NOT_READY = "node.kubernetes.io/not-ready";
  public static final String UNREACHABLE = "node.kubernetes.io/unreachable";

  private Taints() {}

  /** The first of these taints, with one of these effects, that is not tolerated. */
  public static @Nullable JsonNode untolerated(
      JsonNode taints, JsonNode tolerations, Set<String> effects) {
    for (JsonNode taint : taints) {
      if (effects.contains(JsonTrees.text(taint, "effect"))
          && tolerations.valueStream().noneMatch(each -> tolerates(each, taint))) {
        return taint;
      }
    }
    return null;
  }

  public static boolean tolerates(JsonNode toleration, JsonNode taint) {
    String effect = JsonTrees.text(toleration, "effect");
    String key = JsonTrees.text(toleration, "key");
    if (!effect.isEmpty() && !effect.equals(JsonTrees.text(taint, "effect"))) {
      return false;
    }
    if (!key.isEmpty() && !key.equals(JsonTrees.text(taint, "key"))) {
      return false;
    }
    return switch (JsonTrees.text(toleration, "operator")) {
      case "Exists" -> true;
      case "", "Equal" ->
          JsonTrees.text(toleration, "value").equals(JsonTrees.text(taint, "value"));
      default -> false;
    };
  }

  public static JsonNode taint(String key, String effect) {
    return JsonTrees.object().put("key", key).put("effect", effect);
  }
}
