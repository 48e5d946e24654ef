package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.Cause;
import dev.drydock.sim.json.JsonTrees;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** PodDisruptionBudgets: no disruption is allowed until the controller has counted. */
final class BudgetRules implements BuiltInRules {
  @Override
  public void beforeCreate(ObjectNode object) {
    object
        .putObject("status")
        .put("disruptionsAllowed", 0)
        .put("currentHealthy", 0)
        .put("desiredHealthy", 0)
        .put("expectedPods", 0);
  }

  @Override
  public List<Cause> validate(ObjectNode object, @Nullable ObjectNode before) {
    List<Cause> causes = new ArrayList<>();
    var spec = object.path("spec");
    if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
      causes.add(Cause.invalid("spec", "minAvailable and maxUnavailable cannot be both set"));
    }
    String policy = JsonTrees.text(spec, "unhealthyPodEvictionPolicy");
    if (!List.of("", "IfHealthyBudget", "AlwaysAllow").contains(policy)) {
      causes.add(
          new Cause(
              "FieldValueNotSupported",
              "spec.unhealthyPodEvictionPolicy",
              "Unsupported value: \"%s\": supported values: \"AlwaysAllow\", \"IfHealthyBudget\""
                  .formatted(policy)));
    }
    return causes;
  }
}
