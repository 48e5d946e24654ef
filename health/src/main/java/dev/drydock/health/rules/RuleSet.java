package dev.drydock.health.rules;

import dev.drydock.health.decide.RuleActions;
import dev.drydock.health.rules.RuleExpression.Outcome;
import java.util.List;
import java.util.Map;

/**
 * When a node is quarantined, and how.
 *
 * @param any one of these is enough
 * @param all or all of these
 */
public record RuleSet(RuleActions actions, List<RuleExpression> any, List<RuleExpression> all) {
  /** The outcome, also for metrics. */
  public enum Verdict {
    PASSED,
    FAILED,
    ERROR
  }

  public RuleSet {
    any = List.copyOf(any);
    all = List.copyOf(all);
  }

  public String name() {
    return actions.name();
  }

  public Verdict evaluate(Map<String, Object> event, Map<String, Object> node) {
    boolean error = false;
    for (RuleExpression rule : any) {
      Outcome outcome = outcome(rule, event, node);
      if (outcome == Outcome.TRUE) {
        return Verdict.PASSED;
      }
      error |= outcome == Outcome.ERROR;
    }
    if (!all.isEmpty()) {
      Outcome outcome = all(event, node);
      if (outcome == Outcome.TRUE) {
        return Verdict.PASSED;
      }
      error |= outcome == Outcome.ERROR;
    }
    return error ? Verdict.ERROR : Verdict.FAILED;
  }

  private Outcome all(Map<String, Object> event, Map<String, Object> node) {
    for (RuleExpression rule : all) {
      Outcome outcome = outcome(rule, event, node);
      if (outcome != Outcome.TRUE) {
        return outcome;
      }
    }
    return Outcome.TRUE;
  }

  private static Outcome outcome(
      RuleExpression rule, Map<String, Object> event, Map<String, Object> node) {
    return rule.evaluate(rule.kind() == RuleExpression.Kind.NODE ? node : event);
  }
}
