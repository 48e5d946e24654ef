package dev.drydock.maintenance.decide;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import java.util.Set;
import java.util.TreeSet;

/**
 * The facts about a Node that a maintenance needs.
 *
 * @param labels names only
 */
public record MaintainedNode(String name, boolean unschedulable, Set<String> labels) {
  public MaintainedNode {
    labels = Set.copyOf(labels);
  }

  /** Labels that mark the node as out for maintenance; removed when the last one ends. */
  public Set<String> maintenanceLabels() {
    Set<String> found = new TreeSet<>();
    for (String label : labels) {
      if (label.startsWith(MaintenanceNames.LABEL_PREFIX)
          || label.startsWith(MaintenanceNames.CORDONED_PREFIX)) {
        found.add(label);
      }
    }
    return found;
  }
}
