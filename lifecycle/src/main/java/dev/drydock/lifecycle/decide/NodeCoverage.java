package dev.drydock.lifecycle.decide;

import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.lifecycle.LifecycleTransitionSpec.Requirement;
import dev.drydock.contracts.lifecycle.LifecycleTransitionSpec.Term;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The nodes that a transition is for. */
public sealed interface NodeCoverage {
  boolean covers(String node, Map<String, String> labels);

  /** Every node. */
  record AllNodes() implements NodeCoverage {
    @Override
    public boolean covers(String node, Map<String, String> labels) {
      return true;
    }
  }

  /** One node, by name. */
  record OneNode(String name) implements NodeCoverage {
    @Override
    public boolean covers(String node, Map<String, String> labels) {
      return name.equals(node);
    }
  }

  /** Nodes that match all requirements on their labels and on their name. */
  record Selected(LabelSelector labels, LabelSelector names) implements NodeCoverage {
    /** A term without requirements selects nothing. */
    @Override
    public boolean covers(String node, Map<String, String> nodeLabels) {
      return !(labels.requirements().isEmpty() && names.requirements().isEmpty())
          && labels.matches(nodeLabels)
          && names.matches(Map.of("metadata.name", node));
    }
  }

  /** A transition whose nodes cannot be determined. */
  record Nothing() implements NodeCoverage {
    @Override
    public boolean covers(String node, Map<String, String> labels) {
      return false;
    }
  }

  /** The nodes of a term; as in node affinity, one that cannot be understood selects nothing. */
  static NodeCoverage of(Term term) {
    try {
      return new Selected(selector(term.matchExpressions()), selector(term.matchFields()));
    } catch (IllegalArgumentException notUnderstood) {
      return new Nothing();
    }
  }

  private static LabelSelector selector(@Nullable List<Requirement> requirements) {
    return new LabelSelector(
        (requirements == null ? List.<Requirement>of() : requirements)
            .stream()
                .map(
                    each ->
                        LabelSelector.Requirement.of(
                            each.key(),
                            each.operator(),
                            each.values() == null ? List.of() : each.values()))
                .toList());
  }
}
