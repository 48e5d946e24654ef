package dev.drydock.sim.control.workload;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a StatefulSet does next with its numbered pods. Pure. */
final class StatefulSteps {
  /**
   * The desired state: pods with these ordinals, and from the partition on with the new template.
   */
  record Wish(int first, int replicas, boolean ordered, boolean rolls, int partition) {
    boolean contains(int number) {
      return number >= first && number < first + replicas;
    }
  }

  /** An existing pod. */
  record PodState(int number, boolean updated, boolean available, boolean ending, boolean ended) {
    boolean isWell() {
      return available && !ending;
    }
  }

  /** One action: create or delete the pod with this ordinal. */
  record Step(int number, boolean creates) {}

  private StatefulSteps() {}

  static List<Step> decide(Wish wish, List<PodState> pods) {
    Map<Integer, PodState> byNumber = new TreeMap<>();
    pods.forEach(pod -> byNumber.put(pod.number(), pod));
    List<Step> steps = new ArrayList<>();
    for (int number = wish.first(); number < wish.first() + wish.replicas(); number++) {
      PodState pod = byNumber.get(number);
      if (pod == null) {
        steps.add(new Step(number, true));
      } else if (pod.ended() && !pod.ending()) {
        steps.add(new Step(number, false));
      }
      if (wish.ordered() && (pod == null || pod.ended() || !pod.isWell())) {
        return steps;
      }
    }
    if (!removeSurplus(wish, pods, steps) && wish.rolls()) {
      roll(wish, pods, steps);
    }
    return steps;
  }

  /** From the highest ordinal down; returns whether there was anything to do or wait for. */
  private static boolean removeSurplus(Wish wish, List<PodState> pods, List<Step> steps) {
    List<PodState> surplus =
        pods.stream()
            .filter(pod -> !wish.contains(pod.number()))
            .sorted(Comparator.comparingInt(PodState::number).reversed())
            .toList();
    for (PodState pod : surplus) {
      if (!pod.ending()) {
        steps.add(new Step(pod.number(), false));
      }
      if (wish.ordered()) {
        return true;
      }
    }
    return !surplus.isEmpty();
  }

  /** From the highest ordinal down, one at a time. */
  private static void roll(Wish wish, List<PodState> pods, List<Step> steps) {
    List<PodState> mine =
        pods.stream()
            .filter(pod -> wish.contains(pod.number()))
            .filter(pod -> pod.number() >= wish.first() + wish.partition())
            .sorted(Comparator.comparingInt(PodState::number).reversed())
            .toList();
    for (PodState pod : mine) {
      if (!pod.updated() && !pod.ending()) {
        steps.add(new Step(pod.number(), false));
        return;
      }
      if (!pod.isWell()) {
        return;
      }
    }
  }
}
