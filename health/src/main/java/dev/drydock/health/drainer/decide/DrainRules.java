package dev.drydock.health.drainer.decide;

import dev.drydock.contracts.LabelSelector;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.engine.decide.PodFacts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How pods are drained.
 *
 * @param rules the first match counts; pods without one are left alone
 * @param evictionTimeout the grace period of pods that go at once
 * @param systemNamespaces whose pods are left alone
 * @param devicesOnly whether pods without an annotation about devices are left alone
 * @param allowCompletionMax after this pods are evicted that may complete; zero for never
 * @param notReadyTimeout after this a pod that is not ready is stuck
 */
public record DrainRules(
    List<Rule> rules,
    Duration evictionTimeout,
    Pattern systemNamespaces,
    boolean devicesOnly,
    Duration deleteAfter,
    Duration allowCompletionMax,
    Duration notReadyTimeout,
    StuckPods stuckPods,
    Deadline deadline) {
  private static final Rule EVERYTHING =
      new Rule("", NamePattern.of("*"), LabelSelector.everything(), DrainMode.IMMEDIATE);

  /**
   * For some pods.
   *
   * @param name empty if it is one for namespaces
   */
  public record Rule(String name, NamePattern namespaces, LabelSelector pods, DrainMode mode) {
    /** A pod with more labels than are kept may have those, too. */
    boolean matches(PodFacts pod) {
      return namespaces.matches(pod.ref().namespace())
          && (pod.reduced() || pods.matches(pod.labels()));
    }
  }

  /**
   * When a drain gives up.
   *
   * @param after zero for never
   */
  public record Deadline(Duration after, DrainPolicy.AtDeadline then) {
    public static final Deadline NONE = new Deadline(Duration.ZERO, DrainPolicy.AtDeadline.FAIL);
  }

  public DrainRules {
    rules = List.copyOf(rules);
  }

  Optional<Rule> ruleFor(PodFacts pod) {
    return rules.stream().filter(rule -> rule.matches(pod)).findFirst();
  }

  public boolean isSystem(String namespace) {
    return systemNamespaces.matcher(namespace).find();
  }

  /** Whether some pod of the namespace may be drained. */
  public boolean reaches(String namespace) {
    return !isSystem(namespace)
        && rules.stream().anyMatch(rule -> rule.namespaces().matches(namespace));
  }

  /** The rules for drains by others: all pods outside of system namespaces go. */
  public DrainRules everything() {
    return new DrainRules(
        List.of(EVERYTHING),
        evictionTimeout,
        systemNamespaces,
        devicesOnly,
        deleteAfter,
        allowCompletionMax,
        notReadyTimeout,
        stuckPods,
        deadline);
  }

  /** The policy of a drain. */
  public DrainPolicy policy(DrainGoal goal) {
    DrainPolicy.Builder policy = DrainPolicy.everything().rulings(new ModeRulings(this, goal));
    if (stuckPods == StuckPods.FORCE_DELETE) {
      policy.forceOverdue(evictionTimeout);
    }
    if (deadline.after().isPositive()) {
      policy.deadline(deadline.after(), deadline.then());
    }
    return policy.build();
  }
}
