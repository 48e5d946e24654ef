package dev.drydock.drain.engine.decide;

import dev.drydock.drain.hold.decide.NodeFacts;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The known facts about a node and its pods at one moment. Create a new one when something changed;
 * reuse it if only time has passed.
 *
 * @param unknown what has not been observed yet; while it is not empty nothing is done
 * @param unknownPods what is not known about single pods, by UID or name; they are not touched, and
 *     until a deadline that forces the drain they hold up the others, as a refused pod does
 * @param notHeld why the node cannot be held; until it can, nothing is done
 * @param andon why the andon cord is pulled, if it is
 * @param stopTimes how long pods of a controller (by UID) took to stop recently
 * @param proof whether no pod that was bound before the hold is missing among the pods
 */
public record Observation(
    NodeFacts node,
    List<PodFacts> pods,
    Budgets budgets,
    List<String> unknown,
    Map<String, String> unknownPods,
    Optional<String> notHeld,
    Optional<String> andon,
    Map<String, Duration> stopTimes,
    PodProof proof) {

  public Observation {
    pods = List.copyOf(pods);
    unknown = List.copyOf(unknown);
    unknownPods = Map.copyOf(unknownPods);
    stopTimes = Map.copyOf(stopTimes);
  }

  public static Observation of(
      NodeFacts node, Collection<PodFacts> pods, Collection<BudgetFacts> budgets) {
    return new Observation(
        node,
        List.copyOf(pods),
        Budgets.match(pods, budgets),
        List.of(),
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        new PodProof.Given());
  }

  /** Whether nothing is unknown. */
  public boolean isComplete() {
    return unknown.isEmpty() && unknownPods.isEmpty();
  }

  public Observation unknown(Collection<String> what) {
    return new Observation(
        node,
        pods,
        budgets,
        List.copyOf(new TreeSet<>(what)),
        unknownPods,
        notHeld,
        andon,
        stopTimes,
        proof);
  }

  public Observation unknownPods(Map<String, String> what) {
    return new Observation(node, pods, budgets, unknown, what, notHeld, andon, stopTimes, proof);
  }

  /** With pods that their owner keeps on this node, whatever else is unknown about the owner. */
  Observation pinning(Predicate<PodFacts> kept) {
    Set<String> pinned = pods.stream().filter(kept).map(PodFacts::uid).collect(Collectors.toSet());
    if (pinned.isEmpty()) {
      return this;
    }
    Map<String, String> others = new HashMap<>(unknownPods);
    others.keySet().removeAll(pinned);
    List<PodFacts> all =
        pods.stream()
            .map(pod -> pinned.contains(pod.uid()) ? pod.toBuilder().pinned(true).build() : pod)
            .toList();
    return new Observation(node, all, budgets, unknown, others, notHeld, andon, stopTimes, proof);
  }

  public Observation stopped(String reason) {
    return new Observation(
        node, pods, budgets, unknown, unknownPods, notHeld, Optional.of(reason), stopTimes, proof);
  }

  public Observation notHeld(String why) {
    return new Observation(
        node, pods, budgets, unknown, unknownPods, Optional.of(why), andon, stopTimes, proof);
  }

  public Observation withStopTimes(Map<String, Duration> times) {
    return new Observation(node, pods, budgets, unknown, unknownPods, notHeld, andon, times, proof);
  }

  public Observation proof(PodProof given) {
    return new Observation(
        node, pods, budgets, unknown, unknownPods, notHeld, andon, stopTimes, given);
  }
}
