package dev.drydock.simulate.fleet;

import dev.drydock.sim.control.schedule.MilliQuantities;
import java.util.Map;

/** Kubernetes quantities: 500m, 4, 16Gi. */
final class Quantities {
  private Quantities() {}

  static Map<String, String> read(FieldReader fields, String name) {
    Map<String, String> amounts = fields.texts(name);
    amounts.forEach(
        (resource, amount) -> {
          if (!isQuantity(amount)) {
            fields.problem(
                name + "." + resource,
                "\"" + amount + "\" should be an amount like 4, 500m or 16Gi");
          }
        });
    amounts.values().removeIf(amount -> !isQuantity(amount));
    return amounts;
  }

  private static boolean isQuantity(String amount) {
    return MilliQuantities.find(amount).orElse(-1) >= 0;
  }
}
