package dev.drydock.health.rules;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.decide.BreakerLimits;
import dev.drydock.health.decide.NodeEdits;
import dev.drydock.health.decide.RuleActions;
import dev.drydock.health.decide.Strikes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The content of a rule file.
 *
 * @param sets those that are enabled, in the order of the file
 * @param validation of nodes after their quarantine, if it is enabled
 */
public record QuarantineRules(
    String labelPrefix,
    BreakerLimits breaker,
    Strikes.Limit strikes,
    List<RuleSet> sets,
    Optional<ValidationRules> validation) {
  public static final String DEFAULT_PREFIX = "k8saas.nvidia.com/";

  public QuarantineRules {
    sets = List.copyOf(sets);
  }

  /**
   * The names of the rule sets that match.
   *
   * @param node as {@link EventVariables#ofNode} gives it
   * @param verdicts gets that of each rule set
   */
  public List<String> matching(
      HealthEvent event, Map<String, Object> node, BiConsumer<RuleSet, RuleSet.Verdict> verdicts) {
    Map<String, Object> variables = EventVariables.of(event);
    List<String> names = new ArrayList<>();
    for (RuleSet set : sets) {
      RuleSet.Verdict verdict = set.evaluate(variables, node);
      verdicts.accept(set, verdict);
      if (verdict == RuleSet.Verdict.PASSED) {
        names.add(set.name());
      }
    }
    return names;
  }

  public NodeEdits edits() {
    Map<String, RuleActions> byName = new LinkedHashMap<>();
    sets.forEach(set -> byName.put(set.name(), set.actions()));
    return new NodeEdits(byName, labelPrefix, strikes);
  }

  public QuarantineRules withBreaker(BreakerLimits other) {
    return new QuarantineRules(labelPrefix, other, strikes, sets, validation);
  }
}
