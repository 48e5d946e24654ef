package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.Cause;
import dev.drydock.sim.json.JsonTrees;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** PriorityClasses: their value is immutable. */
final class PriorityClassRules implements BuiltInRules {
  private static final int HIGHEST = 1_000_000_000;

  @Override
  public boolean hasStatus() {
    return false;
  }

  @Override
  public void beforeCreate(ObjectNode object) {
    PodSpecs.putIfAbsent(object, "value", 0);
    JsonTrees.putIfAbsent(object, "preemptionPolicy", "PreemptLowerPriority");
  }

  @Override
  public List<Cause> validate(ObjectNode object, @Nullable ObjectNode before) {
    List<Cause> causes = new ArrayList<>();
    JsonNode value = object.path("value");
    boolean ofSystem = JsonTrees.text(object, "metadata", "name").startsWith("system-");
    if (!ofSystem && value.asLong() > HIGHEST) {
      causes.add(
          Cause.forbidden(
              "value", "maximum allowed value of a user defined priority is " + HIGHEST));
    }
    if (before != null && !value.equals(before.path("value"))) {
      causes.add(Cause.forbidden("value", "may not be changed in an update."));
    }
    return causes;
  }
}
