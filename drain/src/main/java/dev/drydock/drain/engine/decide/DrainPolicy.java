package dev.drydock.drain.engine.decide;

import dev.drydock.contracts.LabelSelector;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a drain may do. The defaults are those of {@code kubectl drain}: every doubtful pod is
 * refused, budgets are respected, and there is no deadline.
 *
 * @param force also drains pods that no controller recreates
 * @param emptyDirDataMayGo also drains pods whose emptyDir data is lost
 * @param gracePeriod overrides each pod's own; absent keeps it
 * @param podSelector other pods are ignored
 * @param requestsResource pods that do not request this extended resource are ignored
 * @param deleteInsteadOfEvict deletes pods, which bypasses budgets
 * @param skipWait do not wait for pods whose deletion is overdue by more than this
 * @param rules the first match applies
 * @param rulings decide instead of the rules
 * @param waitForJobs pods of Jobs without a rule may finish, and so may jobs whose end was
 *     announced
 * @param tiersByPriority within a rule's tier, lower pod priority goes first
 * @param deadline counted from the start of the drain
 * @param forceAfter counted from the start: after this, pods that cannot be evicted are deleted
 * @param forceOverdue pods whose deletion is overdue by more than this are deleted without grace
 *     period
 * @param maxInFlight the maximum number of unanswered requests
 * @param cordonRequired evict only while the node is cordoned; otherwise pods could come back
 */
public record DrainPolicy(
    boolean force,
    DaemonSets daemonSets,
    boolean emptyDirDataMayGo,
    Optional<Duration> gracePeriod,
    LabelSelector podSelector,
    Optional<String> requestsResource,
    boolean deleteInsteadOfEvict,
    Optional<Duration> skipWait,
    List<PolicyRule> rules,
    Optional<PodRulings> rulings,
    boolean waitForJobs,
    boolean tiersByPriority,
    Optional<Duration> deadline,
    AtDeadline atDeadline,
    Optional<Duration> forceAfter,
    Optional<Duration> forceOverdue,
    Unreachable unreachable,
    int maxInFlight,
    boolean cordonRequired) {

  /** How pods of an existing DaemonSet are treated. */
  public enum DaemonSets {
    /** They make the drain fail before it starts. */
    REFUSE,
    /** They stay and are ignored. */
    IGNORE,
    /** They are drained after all other pods. */
    LAST
  }

  /** What happens at the deadline if pods remain. */
  public enum AtDeadline {
    /** Give up; nothing more is touched. */
    FAIL,
    /** Delete the remaining pods regardless of budgets, with their grace period. */
    DELETE,
    /** Delete the remaining pods without grace period: their processes may keep running. */
    FORCE_DELETE
  }

  /** How pods on an unreachable node are handled, this long after it became unreachable. */
  public record Unreachable(Action action, Duration after) {
    /** The possible actions. */
    public enum Action {
      WAIT,
      FORCE_DELETE,
      OUT_OF_SERVICE_TAINT
    }

    public static final Unreachable WAIT = new Unreachable(Action.WAIT, Duration.ZERO);
  }

  public DrainPolicy {
    rules = List.copyOf(rules);
    notNegative("the grace period", gracePeriod);
    notNegative("skip-wait-for-delete", skipWait);
    notNegative("force-after", forceAfter);
    notNegative("the time for overdue deletions", forceOverdue);
    notNegative("the time for unreachable nodes", Optional.of(unreachable.after()));
    check(
        deadline.filter(time -> time.isNegative() || time.isZero()).isEmpty(),
        "the deadline must be longer than nothing; leave it out for no deadline");
    check(
        deadline.isPresent() || atDeadline == AtDeadline.FAIL,
        "what happens at the deadline is set to " + atDeadline + ", but there is no deadline");
    check(maxInFlight > 0, "at least one request must be allowed in flight, not " + maxInFlight);
    gracePeriod = gracePeriod.map(LongestTime::bound);
    skipWait = skipWait.map(LongestTime::bound);
    forceAfter = forceAfter.map(LongestTime::bound);
    deadline = deadline.map(LongestTime::bound);
  }

  public static Builder builder() {
    return new Builder();
  }

  /**
   * Starts from a policy that refuses no pod: all are drained, except those of DaemonSets, which
   * are ignored.
   */
  public static Builder everything() {
    return builder().force(true).emptyDirDataMayGo(true).daemonSets(DaemonSets.IGNORE);
  }

  public static DrainPolicy defaults() {
    return builder().build();
  }

  PodRuling rulingFor(PodFacts pod, Instant now) {
    return rulings.map(own -> own.of(pod, now)).orElseGet(() -> PodRuling.of(ruleFor(pod)));
  }

  /** The rule for a pod; a pod without a rule is evicted at once. */
  PolicyRule ruleFor(PodFacts pod) {
    for (PolicyRule rule : rules) {
      if (rule.match().matches(pod)) {
        return rule;
      }
    }
    // a workload manager such as Slurm announces the end of the jobs that run inside a pod
    boolean jobs =
        pod.controller().filter(Owner::isJob).isPresent() || pod.announcedEnd().isPresent();
    return waitForJobs && jobs ? JOBS_FINISH : EVICT;
  }

  private static final PolicyRule EVICT =
      PolicyRule.of(PolicyRule.Match.ANY, new EvictionMode.EvictNow());
  private static final PolicyRule JOBS_FINISH =
      PolicyRule.of(PolicyRule.Match.ANY, new EvictionMode.LetFinish());

  public static void check(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  private static void notNegative(String what, Optional<Duration> time) {
    time.ifPresent(t -> check(!t.isNegative(), what + " must not be negative, but is " + t));
  }

  /** Starts from {@link #defaults}. */
  public static final class Builder {
    private boolean force;
    private DaemonSets daemonSets = DaemonSets.REFUSE;
    private boolean emptyDirDataMayGo;
    private @Nullable Duration gracePeriod;
    private LabelSelector podSelector = LabelSelector.everything();
    private @Nullable String requestsResource;
    private boolean deleteInsteadOfEvict;
    private @Nullable Duration skipWait;
    private final List<PolicyRule> rules = new ArrayList<>();
    private @Nullable PodRulings rulings;
    private boolean waitForJobs;
    private boolean tiersByPriority;
    private @Nullable Duration deadline;
    private AtDeadline atDeadline = AtDeadline.FAIL;
    private @Nullable Duration forceAfter;
    private @Nullable Duration forceOverdue;
    private Unreachable unreachable = Unreachable.WAIT;
    private int maxInFlight = 64;
    private boolean cordonRequired = true;

    private Builder() {}

    public Builder force(boolean value) {
      force = value;
      return this;
    }

    public Builder daemonSets(DaemonSets value) {
      daemonSets = value;
      return this;
    }

    public Builder emptyDirDataMayGo(boolean value) {
      emptyDirDataMayGo = value;
      return this;
    }

    /** As in kubectl: negative means each pod's own. */
    public Builder gracePeriodSeconds(long seconds) {
      gracePeriod = seconds < 0 ? null : Duration.ofSeconds(seconds);
      return this;
    }

    public Builder podSelector(LabelSelector value) {
      podSelector = value;
      return this;
    }

    /** An extended resource, with its domain: {@code hpe.com/cxi}. */
    public Builder requestsResource(String name) {
      check(
          name.matches("[a-z0-9.-]+/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?"),
          "\"%s\" is not an extended resource; write it like hpe.com/cxi".formatted(name));
      requestsResource = name;
      return this;
    }

    public Builder deleteInsteadOfEvict(boolean value) {
      deleteInsteadOfEvict = value;
      return this;
    }

    /** As in kubectl: zero means always wait. */
    public Builder skipWait(Duration value) {
      skipWait = value.isZero() ? null : value;
      return this;
    }

    public Builder rule(PolicyRule value) {
      rules.add(value);
      return this;
    }

    public Builder rulings(PodRulings value) {
      rulings = value;
      return this;
    }

    public Builder waitForJobs(boolean value) {
      waitForJobs = value;
      return this;
    }

    public Builder tiersByPriority(boolean value) {
      tiersByPriority = value;
      return this;
    }

    public Builder deadline(Duration time, AtDeadline then) {
      deadline = time;
      atDeadline = then;
      return this;
    }

    public Builder forceAfter(Duration value) {
      forceAfter = value;
      return this;
    }

    public Builder forceOverdue(Duration value) {
      forceOverdue = value;
      return this;
    }

    public Builder unreachable(Unreachable value) {
      unreachable = value;
      return this;
    }

    public Builder maxInFlight(int value) {
      maxInFlight = value;
      return this;
    }

    public Builder cordonRequired(boolean value) {
      cordonRequired = value;
      return this;
    }

    public DrainPolicy build() {
      return new DrainPolicy(
          force,
          daemonSets,
          emptyDirDataMayGo,
          Optional.ofNullable(gracePeriod),
          podSelector,
          Optional.ofNullable(requestsResource),
          deleteInsteadOfEvict,
          Optional.ofNullable(skipWait),
          rules,
          Optional.ofNullable(rulings),
          waitForJobs,
          tiersByPriority,
          Optional.ofNullable(deadline),
          atDeadline,
          Optional.ofNullable(forceAfter),
          Optional.ofNullable(forceOverdue),
          unreachable,
          maxInFlight,
          cordonRequired);
    }
  }
}
