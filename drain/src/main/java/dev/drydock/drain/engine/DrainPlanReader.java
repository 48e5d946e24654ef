package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.Action;
import dev.drydock.drain.engine.decide.BudgetFacts;
import dev.drydock.drain.engine.decide.DaemonSetLookup;
import dev.drydock.drain.engine.decide.DrainPlan;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.engine.decide.EvictionAnswer;
import dev.drydock.drain.engine.decide.Observation;
import dev.drydock.drain.engine.decide.Owner;
import dev.drydock.drain.engine.decide.Planner;
import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.engine.decide.PodRef;
import dev.drydock.drain.hold.decide.NodeFacts;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Resource;
import dev.drydock.kube.time.Background;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Reads a node once, without changing anything. */
public final class DrainPlanReader {
  private final EngineContext context;
  private final boolean atOnce;

  /**
   * @param atOnce whether to make requests at the same time, for a person who waits for the answer;
   *     a control loop makes one after the other
   */
  DrainPlanReader(EngineContext context, boolean atOnce) {
    this.context = context;
    this.atOnce = atOnce;
  }

  /** What a drain that starts now would do. */
  public DrainPlan plan(String node, DrainPolicy policy) {
    return Planner.plan(observe(node), policy, context.clock().instant());
  }

  /** What the server would answer to the eviction, or deletion, of every pod that would go. */
  public Map<PodRef, EvictionAnswer> dryRun(String node, DrainPolicy policy) {
    DrainPlan plan = plan(node, policy);
    Map<PodRef, Background<EvictionAnswer>> asked = new LinkedHashMap<>();
    for (DrainPlan.PodPlan pod : plan.pods()) {
      if (pod.verdict().goes()) {
        Action.OnPod first = first(pod, policy);
        asked.put(pod.pod(), start(() -> context.evictions().dryRun(first)));
      }
    }
    Map<PodRef, EvictionAnswer> answers = new LinkedHashMap<>();
    asked.forEach((pod, answer) -> answers.put(pod, answer.join()));
    return answers;
  }

  private static Action.OnPod first(DrainPlan.PodPlan pod, DrainPolicy policy) {
    return policy.deleteInsteadOfEvict()
        ? new Action.Delete(
            pod.pod(), policy.gracePeriod(), Action.Why.EVICTION_DISABLED, pod.budgets())
        : new Action.Evict(pod.pod(), policy.gracePeriod(), Optional.empty(), false);
  }

  /**
   * Everything a plan needs.
   *
   * @throws ApiFailure when something cannot be read: a plan on guesses would be worse than none
   */
  public Observation observe(String node) {
    Background<NodeFacts> facts = start(() -> context.holds().get(node).factsWithWork());
    List<PodFacts> pods = context.pods(node);
    Background<List<PodFacts>> complete = start(() -> withOwners(pods));
    List<BudgetFacts> budgets = budgets(pods);
    return Observation.of(facts.join(), complete.join(), budgets);
  }

  private <T> Background<T> start(Supplier<T> request) {
    return atOnce ? Background.start(request) : Background.done(request.get());
  }

  private List<BudgetFacts> budgets(List<PodFacts> pods) {
    Set<String> namespaces =
        pods.stream().map(pod -> pod.ref().namespace()).collect(Collectors.toSet());
    if (namespaces.isEmpty()) {
      return List.of();
    }
    boolean few = namespaces.size() <= BudgetWatches.FEW_NAMESPACES;
    List<Background<List<BudgetFacts>>> lists =
        (few ? namespaces : Set.of(""))
            .stream()
                .map(
                    namespace ->
                        start(
                            () ->
                                context
                                    .http()
                                    .readAll(
                                        "budgets",
                                        Resource.BUDGETS.in(namespace),
                                        BudgetReader::read)))
                .toList();
    return lists.stream()
        .flatMap(budgets -> budgets.join().stream())
        .filter(budget -> namespaces.contains(budget.ref().namespace()))
        .toList();
  }

  /** Each owner is asked once. */
  private List<PodFacts> withOwners(List<PodFacts> pods) {
    Map<OwnerKey, Background<Function<PodFacts, PodFacts>>> byOwner = new LinkedHashMap<>();
    for (PodFacts pod : pods) {
      pod.controller()
          .ifPresent(
              owner ->
                  byOwner.computeIfAbsent(
                      OwnerKey.of(pod, owner), key -> start(() -> addition(key))));
    }
    return pods.stream()
        .map(
            pod ->
                pod.controller()
                    .map(
                        owner ->
                            byOwner.getOrDefault(OwnerKey.of(pod, owner), SAME).join().apply(pod))
                    .orElse(pod))
        .toList();
  }

  private static final Background<Function<PodFacts, PodFacts>> SAME = Background.done(pod -> pod);

  /** A reference to an owner, which is in the pod's namespace whatever else it says. */
  private record OwnerKey(String namespace, Owner owner) {
    static OwnerKey of(PodFacts pod, Owner owner) {
      return new OwnerKey(pod.ref().namespace(), owner);
    }
  }

  private Function<PodFacts, PodFacts> addition(OwnerKey key) {
    String namespace = key.namespace();
    Owner owner = key.owner();
    if (OwnerLookups.isDaemonSet(owner)) {
      DaemonSetLookup found = context.owners().daemonSetNow(namespace, owner.name());
      return pod -> pod.toBuilder().daemonSet(found).build();
    }
    boolean pins = context.owners().pinsNow(namespace, owner);
    return pod -> pod.toBuilder().pinned(pins).build();
  }
}
