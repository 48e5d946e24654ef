package dev.drydock.lifecycle.decide;

import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

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

  /** Nodes that match all requirements. */
  record Selected(List<Requirement> labels, List<Requirement> names) implements NodeCoverage {
    public Selected {
      labels = List.copyOf(labels);
      names = List.copyOf(names);
    }

    /** A term without requirements selects nothing. */
    @Override
    public boolean covers(String node, Map<String, String> nodeLabels) {
      return !(labels.isEmpty() && names.isEmpty())
          && labels.stream().allMatch(requirement -> requirement.holds(nodeLabels))
          && names.stream()
              .allMatch(requirement -> requirement.holds(Map.of("metadata.name", node)));
    }
  }

  /** A transition whose nodes cannot be determined. */
  record Nothing() implements NodeCoverage {
    @Override
    public boolean covers(String node, Map<String, String> labels) {
      return false;
    }
  }

  /** A requirement on a label or field, as in node affinity. */
  record Requirement(String key, String operator, List<String> values) {
    public Requirement {
      values = List.copyOf(values);
    }

    boolean holds(Map<String, String> facts) {
      String value = facts.get(key);
      return switch (operator) {
        case "In" -> value != null && values.contains(value);
        case "NotIn" -> value == null || !values.contains(value);
        case "Exists" -> value != null;
        case "DoesNotExist" -> value == null;
        case "Gt" -> value != null && compare(value) > 0;
        case "Lt" -> value != null && compare(value) < 0;
        default -> false;
      };
    }

    /** 0 for values that cannot be compared, so that neither Gt nor Lt matches. */
    private int compare(String value) {
      try {
        return Long.compare(Long.parseLong(value), Long.parseLong(values.getFirst()));
      } catch (NumberFormatException | NoSuchElementException notNumbers) {
        return 0;
      }
    }
  }
}
