package dev.drydock.drain.engine.decide;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Every pod of a node with its verdict; those to drain with mode, order and budgets. */
final class PodVerdicts {
  /**
   * A pod and how the policy treats it.
   *
   * @param guards the budgets that the API server will check; empty if it checks none
   * @param graceOverride the grace period in the request; absent keeps the pod's own
   * @param until when its treatment may change by time alone
   */
  record Task(
      PodFacts pod,
      Verdict verdict,
      EvictionMode mode,
      DrainTier tier,
      List<BudgetFacts> guards,
      Optional<Duration> graceOverride,
      Optional<Instant> until) {

    /** The effective grace period. */
    Duration grace() {
      return graceOverride.orElse(pod.terminationGrace());
    }

    /**
     * Whether only the API server can say which budgets guard the pod, because it or one of them is
     * too large to be kept.
     */
    boolean isGuess() {
      return !guards.isEmpty() && (pod.reduced() || guards.stream().anyMatch(BudgetFacts::reduced));
    }

    List<BudgetRef> guardNames() {
      return guards.stream().map(BudgetFacts::ref).toList();
    }
  }

  /** The verdict on pods in which a workload manager runs jobs of its own. */
  private static final String JOBS_END =
      "ending jobs that run inside Pods (use --wait-for-jobs to let them end)";

  private static final Comparator<Task> ORDER =
      Comparator.comparing(Task::tier).thenComparing(task -> task.pod().ref());

  private final boolean known;
  private final List<Task> all;
  private final List<Task> going;
  private final List<Task> refused;

  private PodVerdicts(boolean known, List<Task> all) {
    this.known = known;
    this.all = all;
    going = all.stream().filter(task -> task.verdict().goes()).toList();
    refused = all.stream().filter(task -> task.verdict().isRefused()).toList();
  }

  static PodVerdicts of(Observation seen, DrainPolicy policy, boolean forced, Instant now) {
    PodFilter filter = new PodFilter(policy, seen.node(), forced, now);
    List<Task> tasks = new ArrayList<>();
    for (PodFacts pod : seen.pods()) {
      if (pod.nodeName().equals(seen.node().name())) {
        tasks.add(task(seen, policy, pod, filter.verdict(pod), now));
      }
    }
    tasks.sort(ORDER);
    return new PodVerdicts(seen.isComplete(), List.copyOf(tasks));
  }

  private static Task task(
      Observation seen, DrainPolicy policy, PodFacts pod, Verdict verdict, Instant now) {
    PodRuling ruling = policy.rulingFor(pod, now);
    PolicyRule rule = ruling.rule();
    DrainTier tier =
        new DrainTier(
            policy.daemonSets() == DrainPolicy.DaemonSets.LAST
                && pod.controller().filter(Owner::isDaemonSet).isPresent(),
            rule.tier(),
            policy.tiersByPriority() ? pod.priority() : 0);
    Optional<Duration> grace = rule.grace().or(policy::gracePeriod);
    return new Task(
        pod, verdict, rule.mode(), tier, guards(seen.budgets(), pod), grace, ruling.until());
  }

  /**
   * The server refuses a pod with several budgets before it checks the pod's health; with a single
   * budget it checks the health first.
   */
  private static List<BudgetFacts> guards(Budgets budgets, PodFacts pod) {
    if (pod.outsideBudgets()) {
      return List.of();
    }
    List<BudgetFacts> guards = budgets.guarding(pod);
    return guards.size() == 1 && guards.getFirst().freeFor(pod) ? List.of() : guards;
  }

  /** Ordered by tier, then by name. */
  List<Task> all() {
    return all;
  }

  List<Task> going() {
    return going;
  }

  List<Task> refused() {
    return refused;
  }

  /** The pods to drain, by tier. */
  List<List<Task>> tiers() {
    Map<DrainTier, List<Task>> byTier = new TreeMap<>();
    going.forEach(task -> byTier.computeIfAbsent(task.tier(), t -> new ArrayList<>()).add(task));
    return List.copyOf(byTier.values());
  }

  /** How many of the pods that ever had to leave are gone. Zero while pods are unknown. */
  Decision.Progress progress(Set<String> everSeen, Instant startedAt) {
    Set<String> gone = new HashSet<>(everSeen);
    all.forEach(task -> gone.remove(task.pod().uid()));
    List<PodFacts> remaining =
        Stream.concat(going.stream(), refused.stream()).map(Task::pod).toList();
    return new Decision.Progress(
        known ? gone.size() : 0,
        known ? remaining.size() : remaining.size() + gone.size(),
        (int) remaining.stream().filter(PodFacts::terminating).count(),
        (int) remaining.stream().filter(pod -> pod.created().isAfter(startedAt)).count());
  }

  /** Warnings grouped as in kubectl: the text, then the pods. */
  List<String> warnings() {
    Map<String, List<String>> podsByWarning = new TreeMap<>();
    for (Task task : all) {
      if (task.verdict().hasWarning()) {
        podsByWarning
            .computeIfAbsent(task.verdict().message(), message -> new ArrayList<>())
            .add(task.pod().ref().toString());
      }
    }
    for (Task task : going) {
      PodFacts pod = task.pod();
      boolean ends = task.mode() instanceof EvictionMode.EvictNow && !pod.terminating();
      if (ends && pod.announcedEnd().isPresent() && !pod.finished()) {
        podsByWarning
            .computeIfAbsent(JOBS_END, message -> new ArrayList<>())
            .add("%s (until %s)".formatted(pod.ref(), pod.announcedEnd().get()));
      }
    }
    List<String> lines = new ArrayList<>();
    podsByWarning.forEach((words, pods) -> lines.add(words + ": " + String.join(", ", pods)));
    return Collections.unmodifiableList(lines);
  }
}
