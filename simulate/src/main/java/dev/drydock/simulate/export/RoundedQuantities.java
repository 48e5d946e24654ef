package dev.drydock.simulate.export;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.control.schedule.MilliQuantities;
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

  /** The resources of a node: memory in whole Gi, without zeros. */
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

  /** The requests of a pod, as the scheduler counts them. */
  static Map<String, String> requests(JsonNode spec) {
    Map<String, String> requests = new TreeMap<>();
    MilliQuantities.requests(spec)
        .forEach(
            (resource, milli) -> {
              if (isCounted(resource) && milli > 0) {
                requests.put(resource, text(resource, BigDecimal.valueOf(milli, 3)));
              }
            });
    return requests;
  }

  private static boolean isCounted(String resource) {
    return !resource.equals("ephemeral-storage") && !resource.startsWith("hugepages-");
  }

  private static BigDecimal number(String quantity) {
    return BigDecimal.valueOf(MilliQuantities.find(quantity).orElse(0), 3);
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
