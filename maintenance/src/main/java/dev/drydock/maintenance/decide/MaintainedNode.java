package dev.drydock.maintenance.decide;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a maintenance looks at of its Node.
 *
 * @param labels names only
 */
public record MaintainedNode(String name, boolean unschedulable, Set<String> labels) {
  public MaintainedNode {
    labels = Set.copyOf(labels);
  }

  /** Labels that say that the node is out for maintenance; they go when the last one ends. */
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
