package dev.drydock.drain.engine.decide;

import dev.drydock.contracts.LabelSelector;
import dev.drydock.drain.engine.decide.BudgetFacts.UnhealthyPods;
import dev.drydock.drain.engine.decide.PodFacts.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A small model of a cluster: an API server that answers evictions, kubelets that stop pods, and
 * the workload and disruption controllers. Time moves only when told to.
 */
final class TestingCluster {
  /** A workload's controller with its replicas. */
  record Workload(String app, int replicas, boolean keepsNames, boolean landsOnNode) {}

  /** A budget's spec. */
  record Budget(String name, String app, int minAvailable, UnhealthyPods unhealthy) {}

  /** A pod and how its processes behave. */
  static final class Pod {
    PodFacts facts;
    Duration stopTime = Duration.ZERO;
    @Nullable Instant deletedAt;
    @Nullable Instant readyAt;
    @Nullable Instant finishesAt;
    @Nullable Instant finalizersGoneAt;
    @Nullable Instant deniedUntil;

    Pod(PodFacts facts) {
      this.facts = facts;
    }

    boolean healthy() {
      return facts.ready() && facts.phase() == Phase.RUNNING && !facts.terminating();
    }

    Optional<Instant> stopsAt() {
      if (deletedAt == null || facts.deletion().isEmpty()) {
        return Optional.empty();
      }
      Duration grace = facts.deletion().get().grace();
      return Optional.of(deletedAt.plus(stopTime.compareTo(grace) < 0 ? stopTime : grace));
    }
  }

  final Map<String, Pod> pods = new TreeMap<>();
  final List<Workload> workloads = new ArrayList<>();
  final List<Budget> budgets = new ArrayList<>();
  boolean nodeSilent;
  int landings = 3;
  Instant now;

  private final Map<String, BudgetFacts> statuses = new HashMap<>();
  private final Map<String, Set<String>> disrupted = new HashMap<>();
  private @Nullable Instant disruptionSyncAt;
  private int counter;

  TestingCluster(Instant start) {
    now = start;
  }

  String nextUid() {
    return "u" + counter++;
  }

  List<PodFacts> podsNow() {
    return pods.values().stream().map(pod -> pod.facts).toList();
  }

  List<BudgetFacts> budgetsNow() {
    return List.copyOf(statuses.values());
  }

  BudgetFacts status(String budget) {
    BudgetFacts facts = statuses.get(budget);
    if (facts == null) {
      throw new AssertionError("no budget " + budget);
    }
    return facts;
  }

  void advance(Instant to) {
    now = to;
    boolean stopped = kubelets();
    boolean created = controllers();
    if ((stopped || created) && disruptionSyncAt == null) {
      disruptionSyncAt = now.plusMillis(200);
    }
    if (disruptionSyncAt != null && !now.isBefore(disruptionSyncAt)) {
      syncBudgets();
    }
  }

  /** The next time at which something happens by itself. */
  Optional<Instant> nextEvent() {
    Stream<Instant> ofPods =
        pods.values().stream()
            .flatMap(
                pod ->
                    Stream.concat(
                        Stream.of(
                                Optional.ofNullable(pod.readyAt),
                                Optional.ofNullable(pod.finishesAt),
                                Optional.ofNullable(pod.finalizersGoneAt),
                                Optional.ofNullable(pod.deniedUntil))
                            .flatMap(Optional::stream),
                        pod.stopsAt().stream()));
    return Stream.concat(ofPods, Optional.ofNullable(disruptionSyncAt).stream())
        .filter(now::isBefore)
        .min(Instant::compareTo);
  }

  private boolean kubelets() {
    boolean changed = false;
    for (Pod pod : List.copyOf(pods.values())) {
      if (due(pod.finalizersGoneAt)) {
        pod.finalizersGoneAt = null;
        pod.facts = pod.facts.toBuilder().finalizers(List.of()).build();
      }
      boolean silent = nodeSilent && pod.facts.nodeName().equals(TestFacts.NODE);
      if (silent) {
        boolean forced = pod.facts.deletion().filter(d -> d.grace().isZero()).isPresent();
        changed |= forced && removeIfFree(pod);
        continue;
      }
      if (due(pod.readyAt)) {
        pod.readyAt = null;
        pod.facts = pod.facts.toBuilder().phase(Phase.RUNNING).ready(true).build();
        changed = true;
      }
      if (due(pod.finishesAt)) {
        pod.finishesAt = null;
        pod.facts = pod.facts.toBuilder().phase(Phase.SUCCEEDED).ready(false).build();
        changed = true;
      }
      if (pod.stopsAt().filter(end -> !now.isBefore(end)).isPresent()) {
        changed |= removeIfFree(pod);
      }
    }
    return changed;
  }

  private boolean due(@Nullable Instant time) {
    return time != null && !now.isBefore(time);
  }

  private boolean removeIfFree(Pod pod) {
    return pod.facts.finalizers().isEmpty() && pods.remove(pod.facts.uid()) != null;
  }

  private boolean controllers() {
    boolean changed = false;
    for (Workload workload : workloads) {
      List<Pod> own =
          pods.values().stream().filter(pod -> app(pod).equals(workload.app())).toList();
      long alive =
          own.stream()
              .filter(pod -> workload.keepsNames() || !pod.facts.terminating())
              .filter(pod -> !pod.facts.finished())
              .count();
      for (; alive < workload.replicas(); alive++) {
        create(workload);
        changed = true;
      }
    }
    return changed;
  }

  private void create(Workload workload) {
    String uid = nextUid();
    String name = workload.app() + "-" + uid;
    if (workload.keepsNames()) {
      Set<String> taken = new HashSet<>();
      pods.values().forEach(pod -> taken.add(pod.facts.ref().name()));
      int index = 0;
      while (taken.contains(workload.app() + "-" + index)) {
        index++;
      }
      name = workload.app() + "-" + index;
    }
    boolean here = workload.landsOnNode() && !nodeSilent && landings > 0;
    if (here) {
      landings--;
    }
    Pod pod =
        new Pod(
            PodFacts.named("web", name, uid)
                .on(here ? TestFacts.NODE : "other")
                .controller(new Owner("apps/v1", "ReplicaSet", workload.app(), workload.app()))
                .labels(Map.of("app", workload.app()))
                .phase(Phase.PENDING)
                .ready(false)
                .created(now)
                .build());
    pod.readyAt = now.plusSeconds(3);
    pods.put(uid, pod);
  }

  private static String app(Pod pod) {
    return pod.facts.labels().getOrDefault("app", "");
  }

  void syncBudgets() {
    disruptionSyncAt = null;
    for (Budget budget : budgets) {
      Set<String> pending = disrupted.computeIfAbsent(budget.name(), name -> new HashSet<>());
      pending.removeIf(uid -> !pods.containsKey(uid) || terminating(uid));
      int healthy =
          (int)
              pods.values().stream()
                  .filter(pod -> app(pod).equals(budget.app()))
                  .filter(Pod::healthy)
                  .filter(pod -> !pending.contains(pod.facts.uid()))
                  .count();
      int expected =
          workloads.stream()
              .filter(workload -> workload.app().equals(budget.app()))
              .mapToInt(Workload::replicas)
              .sum();
      write(budget, healthy, expected, Math.max(0, healthy - budget.minAvailable()));
    }
  }

  private boolean terminating(String uid) {
    Pod pod = pods.get(uid);
    return pod != null && pod.facts.terminating();
  }

  private void write(Budget budget, int healthy, int expected, int allowed) {
    BudgetFacts.Builder next =
        BudgetFacts.named("web", budget.name())
            .selector(LabelSelector.matching("app", budget.app()))
            .healthy(healthy, budget.minAvailable(), expected)
            .unhealthyPods(budget.unhealthy())
            .disruptionsAllowed(allowed);
    BudgetFacts before = statuses.get(budget.name());
    // As in Kubernetes, an unchanged status is not written.
    if (before == null || !next.version(before.version()).build().equals(before)) {
      statuses.put(budget.name(), next.version("v" + counter++).build());
    }
  }

  /** Answers an eviction like the API server, with its order of checks. */
  ApiAnswer evict(Action.Evict eviction) {
    Pod pod = pods.get(eviction.pod().uid());
    if (pod == null) {
      return missing(eviction.pod());
    }
    if (pod.deniedUntil != null && now.isBefore(pod.deniedUntil)) {
      return ApiAnswer.failure(403, "admission webhook \"vm\" denied the request: in progress");
    }
    if (pod.facts.terminating() || pod.facts.finished() || pod.facts.phase() == Phase.PENDING) {
      return delete(pod, eviction.grace());
    }
    List<Budget> guards = budgets.stream().filter(budget -> budget.app().equals(app(pod))).toList();
    if (guards.size() > 1) {
      return ApiAnswer.failure(500, "This pod has more than one PodDisruptionBudget");
    }
    if (guards.size() == 1) {
      Budget budget = guards.getFirst();
      BudgetFacts status = status(budget.name());
      boolean enough =
          status.currentHealthy() >= status.desiredHealthy() && status.desiredHealthy() > 0;
      boolean free =
          !pod.facts.ready() && (budget.unhealthy() == UnhealthyPods.ALWAYS_ALLOW || enough);
      if (!free && status.disruptionsAllowed() == 0) {
        return ApiAnswer.failure(429, "Cannot evict pod")
            .because("DisruptionBudget", budget.name() + " has no room");
      }
      if (!free) {
        disrupted.computeIfAbsent(budget.name(), name -> new HashSet<>()).add(pod.facts.uid());
        write(
            budget,
            status.currentHealthy(),
            status.expectedPods(),
            status.disruptionsAllowed() - 1);
      }
    }
    return delete(pod, eviction.grace());
  }

  ApiAnswer delete(PodRef ref, Optional<Duration> grace) {
    Pod pod = pods.get(ref.uid());
    return pod == null ? missing(ref) : delete(pod, grace);
  }

  private ApiAnswer missing(PodRef ref) {
    boolean replaced =
        pods.values().stream().anyMatch(pod -> pod.facts.ref().toString().equals(ref.toString()));
    return replaced
        ? ApiAnswer.failure(409, "the UID in the precondition (a) does not match")
        : ApiAnswer.failure(404, "not found");
  }

  private ApiAnswer delete(Pod pod, Optional<Duration> asked) {
    Duration grace = asked.orElse(pod.facts.terminationGrace());
    boolean shorter = pod.facts.deletion().filter(d -> d.grace().compareTo(grace) <= 0).isEmpty();
    if (shorter) {
      pod.deletedAt = now;
      pod.facts = pod.facts.toBuilder().terminating(now.plus(grace), grace).build();
    }
    if (grace.isZero() || pod.facts.finished()) {
      removeIfFree(pod);
    }
    if (disruptionSyncAt == null) {
      disruptionSyncAt = now.plusMillis(200);
    }
    return ApiAnswer.success(201);
  }
}
