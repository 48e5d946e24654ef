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
import dev.drydock.kube.Source;
import dev.drydock.kube.time.Background;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads a node once, without changing anything. For callers that wait for the answer in real time:
 * a person, never a control loop.
 */
public final class DrainPlanReader {
  private final EngineContext context;

  DrainPlanReader(EngineContext context) {
    this.context = context;
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
        asked.put(pod.pod(), Background.start(() -> context.evictions().dryRun(first)));
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
    Background<NodeFacts> facts = Background.start(() -> context.holds().get(node).factsWithWork());
    List<PodFacts> pods =
        context.http().readAll("pods of node " + node, Source.podsOn(node), PodReader::read);
    Background<List<PodFacts>> complete = Background.start(() -> withOwners(pods));
    List<BudgetFacts> budgets = budgets(pods);
    return Observation.of(facts.join(), complete.join(), budgets);
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
                        Background.start(
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

  /** Each owner is asked once, all at a time. */
  private List<PodFacts> withOwners(List<PodFacts> pods) {
    Map<OwnerKey, Background<Function<PodFacts, PodFacts>>> byOwner = new LinkedHashMap<>();
    for (PodFacts pod : pods) {
      pod.controller()
          .ifPresent(
              owner ->
                  byOwner.computeIfAbsent(
                      OwnerKey.of(pod, owner), key -> Background.start(() -> addition(key))));
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
