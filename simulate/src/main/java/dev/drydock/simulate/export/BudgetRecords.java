package dev.drydock.simulate.export;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.engine.BudgetReader;
import dev.drydock.drain.engine.decide.BudgetFacts;
import dev.drydock.simulate.fleet.Budget;
import dev.drydock.simulate.fleet.Budget.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Collects PodDisruptionBudgets. */
final class BudgetRecords implements Consumer<JsonNode> {
  private final List<Budget> budgets = new ArrayList<>();

  @Override
  public void accept(JsonNode budget) {
    BudgetFacts facts = BudgetReader.read(budget);
    JsonNode spec = budget.path("spec");
    Limit limit = spec.has(Limit.maxUnavailable.name()) ? Limit.maxUnavailable : Limit.minAvailable;
    budgets.add(
        new Budget(
            facts.ref().namespace(),
            facts.ref().name(),
            facts.selector(),
            limit,
            spec.path(limit.name()).asText("0"),
            facts.unhealthyPods() == BudgetFacts.UnhealthyPods.ALWAYS_ALLOW));
  }

  List<Budget> budgets() {
    return budgets;
  }
}
