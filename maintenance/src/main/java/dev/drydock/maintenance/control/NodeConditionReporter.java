package dev.drydock.maintenance.control;

import dev.drydock.maintenance.decide.DesiredNodeConditions;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Has a Node's conditions say what its maintenances mean for it, when that is news. */
final class NodeConditionReporter {
  private final NodeWriter writer;
  private Optional<Told> told = Optional.empty();

  /** The conditions that were written to the node, and the version of it they were based on. */
  private record Told(Map<DesiredNodeConditions.Type, Boolean> values, String version) {}

  NodeConditionReporter(NodeWriter writer) {
    this.writer = writer;
  }

  void tell(MaintenanceNodeObject node, List<MaintenanceFacts> maintenances) {
    Map<DesiredNodeConditions.Type, DesiredNodeConditions.Standing> standing =
        DesiredNodeConditions.of(maintenances);
    Map<DesiredNodeConditions.Type, Boolean> values = new HashMap<>();
    standing.forEach((type, each) -> values.put(type, each.value()));
    Optional<Told> now = Optional.of(new Told(values, node.version()));
    if (!now.equals(told)) {
      writer.tell(node, standing);
      told = now;
    }
  }
}
