package dev.drydock.drain.engine.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.LabelSelector;
import java.util.List;
import org.junit.jupiter.api.Test;

class BudgetsTest {
  @Test
  void emptyBudgetSelectorGuardsAllOfItsNamespaceAndAbsentOneGuardsNothing() {
    PodFacts pod = TestFacts.pod("a-1").build();
    BudgetFacts all = BudgetFacts.named("web", "all").selector(LabelSelector.everything()).build();
    BudgetFacts other = BudgetFacts.named("db", "all").selector(LabelSelector.everything()).build();
    BudgetFacts none = BudgetFacts.named("web", "none").build();

    assertThat(Budgets.match(List.of(pod), List.of(all, other, none)).guarding(pod))
        .containsExactly(all);
  }
}
