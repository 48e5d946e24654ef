package dev.drydock.health.rules;

import dev.drydock.contracts.health.HealthEvent;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Which nodes are validated after a quarantine, and by which resource.
 *
 * @param resource the plural of the kind
 * @param partialDrains whether nodes may have been drained of a device only, after which nothing is
 *     validated
 */
public record ValidationRules(
    String apiGroup,
    String version,
    String kind,
    String resource,
    Path templateFolder,
    String templateFile,
    boolean partialDrains,
    List<TestRules> sets) {

  /** The tests for events that match. */
  public record TestRules(RuleSet rules, List<String> tests) {
    public TestRules {
      tests = List.copyOf(tests);
    }
  }

  public ValidationRules {
    sets = List.copyOf(sets);
  }

  /** Sorted, each once; empty if the event asks for no validation. */
  public List<String> tests(HealthEvent event) {
    TreeSet<String> tests = new TreeSet<>();
    Map<String, Object> variables = EventVariables.of(event);
    for (TestRules set : sets) {
      if (set.rules().evaluate(variables, Map.of()) == RuleSet.Verdict.PASSED) {
        tests.addAll(set.tests());
      }
    }
    return List.copyOf(tests);
  }
}
