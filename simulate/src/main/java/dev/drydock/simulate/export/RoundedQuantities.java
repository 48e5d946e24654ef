package dev.drydock.simulate.export;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.TreeMap;

/** Reads quantities, rounded so that nodes and pods of a kind are equal. */
final class RoundedQuantities {
  private static final String MEMORY = "memory";
  private static final BigDecimal MEBI = BigDecimal.valueOf(1 << 20);
  private static final BigDecimal GIBI = BigDecimal.valueOf(1 << 30);

  private RoundedQuantities() {}

  /** Of a node: memory in whole Gi, without zero resources. */
  static Map<String, String> capacity(JsonNode allocatable) {
    Map<String, String> amounts = new TreeMap<>();
    allocatable
        .properties()
        .forEach(
            entry -> {
              String resource = entry.getKey();
              BigDecimal amount = number(entry.getValue().asText("0"));
              if (isCounted(resource) && amount.signum() > 0) {
                amounts.put(
                    resource,
                    resource.equals(MEMORY)
                        ? amount.divide(GIBI, 0, RoundingMode.DOWN) + "Gi"
                        : entry.getValue().asText());
              }
            });
    return amounts;
  }

  /** Of a pod: the sum of its containers' requests, or those of an init container if larger. */
  static Map<String, String> requests(JsonNode spec) {
    Map<String, BigDecimal> together = new TreeMap<>();
    for (JsonNode container : spec.path("containers")) {
      each(container, (resource, amount) -> together.merge(resource, amount, BigDecimal::add));
    }
    for (JsonNode container : spec.path("initContainers")) {
      boolean stays = container.path("restartPolicy").asText("").equals("Always");
      each(
          container,
          (resource, amount) ->
              together.merge(resource, amount, stays ? BigDecimal::add : BigDecimal::max));
    }
    Map<String, String> requests = new TreeMap<>();
    together.forEach((resource, amount) -> requests.put(resource, text(resource, amount)));
    return requests;
  }

  private static void each(
      JsonNode container, java.util.function.BiConsumer<String, BigDecimal> amounts) {
    container
        .path("resources")
        .path("requests")
        .properties()
        .forEach(
            entry -> {
              BigDecimal amount = number(entry.getValue().asText("0"));
              if (isCounted(entry.getKey()) && amount.signum() > 0) {
                amounts.accept(entry.getKey(), amount);
              }
            });
  }

  private static boolean isCounted(String resource) {
    return !resource.equals("ephemeral-storage") && !resource.startsWith("hugepages-");
  }

  private static BigDecimal number(String quantity) {
    return Quantity.getAmountInBytes(Quantity.parse(quantity));
  }

  private static String text(String resource, BigDecimal amount) {
    if (resource.equals(MEMORY)) {
      return amount.divide(MEBI, 0, RoundingMode.UP) + "Mi";
    }
    if (resource.equals("cpu")) {
      return amount.movePointRight(3).setScale(0, RoundingMode.UP) + "m";
    }
    return amount.setScale(0, RoundingMode.UP).toPlainString();
  }
}
