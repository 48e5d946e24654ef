package dev.drydock.sim.control.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Quantities of resources, in thousandths of their unit. */
public final class MilliQuantities {
  private MilliQuantities() {}

  /** Parses {@code {cpu: 500m, memory: 1Gi}}; unparsable quantities count as zero. */
  public static Map<String, Long> of(JsonNode amounts) {
    Map<String, Long> quantities = new HashMap<>();
    for (Map.Entry<String, JsonNode> amount : amounts.properties()) {
      // a real API server would have refused what cannot be parsed
      quantities.put(amount.getKey(), find(amount.getValue().asText()).orElse(0));
    }
    return quantities;
  }

  /** Empty if the text is not a quantity. */
  public static OptionalLong find(String quantity) {
    try {
      return OptionalLong.of(
          Quantity.parse(quantity)
              .getNumericalAmount()
              .movePointRight(3)
              .min(BigDecimal.valueOf(Long.MAX_VALUE))
              .longValue());
    } catch (IllegalArgumentException notAQuantity) {
      return OptionalLong.empty();
    }
  }

  /** A pod's requests: the sum of its containers, or those of an init container if larger. */
  public static Map<String, Long> requests(JsonNode podSpec) {
    Map<String, Long> running = new HashMap<>();
    Map<String, Long> most = new HashMap<>();
    for (JsonNode container : podSpec.path("initContainers")) {
      Map<String, Long> own = of(asked(container));
      if (JsonTrees.text(container, "restartPolicy").equals("Always")) {
        own.forEach((resource, amount) -> running.merge(resource, amount, Long::sum));
        running.forEach((resource, amount) -> most.merge(resource, amount, Math::max));
      } else {
        own.forEach(
            (resource, amount) ->
                most.merge(resource, amount + running.getOrDefault(resource, 0L), Math::max));
      }
    }
    for (JsonNode container : podSpec.path("containers")) {
      of(asked(container)).forEach((name, amount) -> running.merge(name, amount, Long::sum));
    }
    running.forEach((resource, amount) -> most.merge(resource, amount, Math::max));
    return most;
  }

  /** A missing request defaults to the limit. */
  private static JsonNode asked(JsonNode container) {
    JsonNode limits = JsonTrees.at(container, "resources", "limits");
    JsonNode requests = JsonTrees.at(container, "resources", "requests");
    if (limits.isEmpty()) {
      return requests;
    }
    ObjectNode asked = JsonTrees.object();
    limits.properties().forEach(each -> asked.set(each.getKey(), each.getValue()));
    requests.properties().forEach(each -> asked.set(each.getKey(), each.getValue()));
    return asked;
  }
}
