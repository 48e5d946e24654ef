package dev.drydock.simulate.fleet;

import java.util.Map;
import java.util.regex.Pattern;

/** Kubernetes quantities: 500m, 4, 16Gi. */
final class Quantities {
  private static final Pattern FORM =
      Pattern.compile("\\d+(\\.\\d+)?([EPTGMk]i?|Ki|[num])?|\\d+(\\.\\d+)?[eE]\\d+");

  private Quantities() {}

  static Map<String, String> read(FieldReader fields, String name) {
    Map<String, String> amounts = fields.texts(name);
    amounts.forEach(
        (resource, amount) -> {
          if (!FORM.matcher(amount).matches()) {
            fields.problem(
                name + "." + resource,
                "\"" + amount + "\" should be an amount like 4, 500m or 16Gi");
          }
        });
    amounts.values().removeIf(amount -> !FORM.matcher(amount).matches());
    return amounts;
  }
}
