package dev.drydock.health.decide;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The union of what the matching rule sets want on a node. Independent of the order in which events
 * came.
 *
 * @param taints one per key and value
 * @param labels by key, with the rule set that decides
 */
public record WantedActions(
    boolean cordon, List<NodeTaint> taints, Map<String, RuleActions> labels) {

  public WantedActions {
    taints = List.copyOf(taints);
    labels = Map.copyOf(labels);
  }

  /**
   * Of taints with the same key and value the one of the highest priority counts, at equal priority
   * the first in the file; of labels with the same key the one of the highest priority, at equal
   * priority the last in the file.
   */
  public static WantedActions of(Collection<RuleActions> matched) {
    List<RuleActions> inOrder =
        matched.stream()
            .distinct()
            .sorted(
                Comparator.comparingInt(RuleActions::priority)
                    .reversed()
                    .thenComparingInt(RuleActions::order))
            .toList();
    Map<String, NodeTaint> taints = new LinkedHashMap<>();
    Map<String, RuleActions> labels = new LinkedHashMap<>();
    for (RuleActions rule : inOrder) {
      rule.taint().ifPresent(taint -> taints.putIfAbsent(taint.key() + "=" + taint.value(), taint));
      rule.label().ifPresent(label -> labels.merge(label.key(), rule, WantedActions::stronger));
    }
    return new WantedActions(
        matched.stream().anyMatch(RuleActions::cordon), compatible(taints.values()), labels);
  }

  private static RuleActions stronger(RuleActions one, RuleActions other) {
    return other.priority() == one.priority() && other.order() > one.order() ? other : one;
  }

  /** The API server refuses two taints with one key and effect; the stronger rule's stays. */
  private static List<NodeTaint> compatible(Collection<NodeTaint> taints) {
    List<NodeTaint> kept = new ArrayList<>();
    taints.stream().filter(taint -> kept.stream().noneMatch(taint::excludes)).forEach(kept::add);
    return kept;
  }
}
