package dev.drydock.sim.control.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.json.Json;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which pods bear which taints. Pure. */
public final class Taints {
  public static final String NO_SCHEDULE = "NoSchedule";
  public static final String NO_EXECUTE = "NoExecute";
  public static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";
  public static final String NOT_READY = "node.kubernetes.io/not-ready";
  public static final String UNREACHABLE = "node.kubernetes.io/unreachable";

  private Taints() {}

  /** The first of these taints, with one of these effects, that nothing here tolerates. */
  public static @Nullable JsonNode untolerated(
      JsonNode taints, JsonNode tolerations, Set<String> effects) {
    for (JsonNode taint : taints) {
      if (effects.contains(Json.text(taint, "effect"))
          && tolerations.valueStream().noneMatch(each -> tolerates(each, taint))) {
        return taint;
      }
    }
    return null;
  }

  public static boolean tolerates(JsonNode toleration, JsonNode taint) {
    String effect = Json.text(toleration, "effect");
    String key = Json.text(toleration, "key");
    if (!effect.isEmpty() && !effect.equals(Json.text(taint, "effect"))) {
      return false;
    }
    if (!key.isEmpty() && !key.equals(Json.text(taint, "key"))) {
      return false;
    }
    return switch (Json.text(toleration, "operator")) {
      case "Exists" -> true;
      case "", "Equal" -> Json.text(toleration, "value").equals(Json.text(taint, "value"));
      default -> false;
    };
  }

  public static JsonNode taint(String key, String effect) {
    return Json.object().put("key", key).put("effect", effect);
  }
}
